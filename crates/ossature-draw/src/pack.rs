//! Packs several rectangles in rows, so that the whole has a pleasant shape.

/// The intended ratio of width to height.
const ASPECT: f64 = 1.5;

/// The left and top of each rectangle, given as width and height, and the size of the whole.
///
/// They are placed in the given order, row by row; a row is as high as its highest rectangle and
/// may be at least as wide as `room`.
pub(crate) fn rows(sizes: &[(f64, f64)], gap: f64, room: f64) -> (Vec<(f64, f64)>, (f64, f64)) {
    let area: f64 = sizes.iter().map(|(w, h)| (w + gap) * (h + gap)).sum();
    let widest = sizes.iter().map(|s| s.0).fold(room, f64::max);
    let limit = (area * ASPECT).sqrt().max(widest);
    let mut places = Vec::with_capacity(sizes.len());
    let (mut x, mut y, mut row, mut width) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for &(w, h) in sizes {
        if x > 0.0 && x + w > limit {
            y += row + gap;
            (x, row) = (0.0, 0.0);
        }
        places.push((x, y));
        width = width.max(x + w);
        x += w + gap;
        row = row.max(h);
    }
    (places, (width, y + row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_takes_no_room() {
        assert_eq!(rows(&[], 10.0, 0.0), (vec![], (0.0, 0.0)));
    }

    #[test]
    fn equal_rectangles_fill_a_rectangle() {
        let (places, (width, height)) = rows(&[(60.0, 28.0); 30], 12.0, 0.0);
        assert_eq!(places.len(), 30);
        assert!((1.0..2.5).contains(&(width / height)), "{width} x {height}");
    }

    #[test]
    fn a_very_wide_one_sets_the_width() {
        let (places, size) = rows(&[(500.0, 10.0), (100.0, 10.0), (100.0, 10.0)], 10.0, 0.0);
        assert_eq!(places, [(0.0, 0.0), (0.0, 20.0), (110.0, 20.0)]);
        assert_eq!(size, (500.0, 30.0));
    }
}
