//! The width of a name, and a shorter name if it would be too wide.
//!
//! A drawing must not depend on the fonts of the machine that makes it, so the widths are a table:
//! the usual advance widths of a sans-serif face such as Helvetica, Arial or Liberation Sans.
//! Boxes leave enough room around the text for faces that are somewhat wider.

/// The size of the letters.
pub(crate) const FONT_SIZE: f64 = 13.0;

/// The largest width of a text that is shown whole.
const MAX_WIDTH: f64 = 190.0;

/// The largest number of characters shown, since some have no width at all.
const MAX_CHARS: usize = 60;

/// Advance widths of the printable ASCII characters, space to tilde, in thousandths of the size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// The approximate width of a text when drawn.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

/// The text itself if it is short enough, otherwise its beginning and end around an ellipsis.
pub(crate) fn shortened(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= MAX_CHARS && width(text) <= MAX_WIDTH {
        return text.to_owned();
    }
    let room = MAX_WIDTH - advance('…');
    let mut used = 0.0;
    let (mut head, mut tail) = (0, chars.len());
    // Beginning and end grow in turn. Names that differ often do so at the end, so it is kept too.
    while head < tail && head + chars.len() - tail < MAX_CHARS {
        let next = if head <= chars.len() - tail { chars[head] } else { chars[tail - 1] };
        if used + advance(next) > room {
            break;
        }
        used += advance(next);
        if head <= chars.len() - tail { head += 1 } else { tail -= 1 }
    }
    while tail < chars.len() && advance(chars[tail]) == 0.0 {
        tail += 1; // a mark without the letter it belongs to
    }
    chars[..head].iter().chain(&['…']).chain(&chars[tail..]).collect()
}

/// The width of one character.
fn advance(c: char) -> f64 {
    let thousandths = match u32::from(c) {
        code @ 0x20..=0x7E => u32::from(ASCII[code as usize - 0x20]),
        0x0300..=0x036F | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F | 0x2026 | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => 1000,
        0xFE30..=0xFE4F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0xFFFD | 0x2_0000..=0x3_FFFD => 1000,
        0x1_F000..=0x1_FAFF => 1250,
        _ => 700, // accented, Greek and Cyrillic letters: on the wide side
    };
    f64::from(thousandths) * FONT_SIZE / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_follow_the_letters() {
        assert_eq!(width(""), 0.0);
        assert!((width("smoke") - (500.0 + 833.0 + 556.0 + 500.0 + 556.0) * 0.013).abs() < 1e-9);
        assert!(width("WWW") > 3.0 * width("i"));
        assert!((width("変数") - 26.0).abs() < 1e-9);
        assert_eq!(width("e\u{301}"), width("e"));
    }

    #[test]
    fn short_names_stay() {
        assert_eq!(shortened("either"), "either");
        assert_eq!(shortened(""), "");
    }

    #[test]
    fn long_names_keep_both_ends() {
        let long = "R_MEDD2_DISP_WD_and_then_a_great_deal_more_of_the_same_until_the_end_17";
        let short = shortened(long);
        assert!(short.starts_with("R_MEDD2_") && short.ends_with("_end_17"), "{short}");
        assert!(short.contains('…') && width(&short) <= MAX_WIDTH);
    }

    #[test]
    fn characters_without_width_do_not_pile_up() {
        let short = shortened(&"\u{301}".repeat(1000));
        assert!(short.chars().count() <= MAX_CHARS + 1);
        let marked = shortened(&"e\u{301}".repeat(200));
        let after = marked.split('…').nth(1).unwrap();
        assert!(after.starts_with('e'), "{marked}");
    }
}
