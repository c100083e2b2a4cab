//! The mean ranks of three learners or more, with the critical difference: after Demšar (2006), figure 1.

use super::axis::number;
use super::panel::FONTS;
use crate::claims::p_value;
use crate::report::text::{escaped, push};
use crate::statistics::Ranking;

const WIDTH: f64 = 560.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 130.0;
const LINE: f64 = 17.0;

/// One ranking as a picture.
pub(crate) fn diagram(ranking: &Ranking, letter: char) -> String {
    let (content, height) = content(ranking, letter);
    let names: Vec<String> = ranking.ranks.iter().map(|(name, rank)| format!("{name} {rank:.2}")).collect();
    let words = format!(
        "({letter}) Mean ranks by {} at {} rows: {}",
        ranking.measure.title,
        ranking.size,
        names.join(", ")
    );
    format!(
        "<svg class=\"chart ranks\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {height}\">\n{content}</svg>\n",
        escaped(&words)
    )
}

/// All rankings, one below the other, as a file.
pub(super) fn file(rankings: &[&Ranking]) -> String {
    let mut body = String::new();
    let mut y = 0.0;
    for (ranking, letter) in rankings.iter().zip('a'..='z') {
        let (content, height) = content(ranking, letter);
        push(&mut body, format_args!("<g transform=\"translate(0 {y})\">\n{content}</g>\n"));
        y += height;
    }
    super::document(
        "Mean ranks",
        "Mean ranks over the networks, with the critical difference.",
        WIDTH,
        y,
        &body,
    )
}

fn content(ranking: &Ranking, letter: char) -> (String, f64) {
    let k = ranking.ranks.len();
    let x = |rank: f64| LEFT + (rank - 1.0) / (k as f64 - 1.0) * (WIDTH - LEFT - RIGHT);
    let groups = ranking.alike();
    let axis = 92.0;
    let names = axis + 16.0 + 7.0 * groups.len() as f64;
    let half = k.div_ceil(2);
    let height = names + LINE * half as f64 + 16.0;
    let mut out = format!(
        "<g font-family=\"{FONTS}\"><text class=\"ink\" x=\"12\" y=\"22\" fill=\"#17202b\" font-size=\"14\" \
         font-weight=\"600\">({letter}) {} at {} rows</text>\n<text class=\"faint\" x=\"12\" y=\"40\" fill=\"#5c6875\" \
         font-size=\"12\">mean rank over {} networks, 1 is best; Friedman p {}</text></g>\n",
        escaped(ranking.measure.title),
        ranking.size,
        ranking.networks,
        p_value(ranking.p),
    );
    if let Some(critical) = ranking.critical {
        // More than the whole scale is shown as that.
        let to = x((1.0 + critical).min(k as f64));
        push(
            &mut out,
            format_args!(
                "<path class=\"rule\" d=\"M{left} 62V56H{to}V62\" fill=\"none\" stroke=\"#5c6875\" \
                 stroke-width=\"1.4\"/>\n<text class=\"faint\" x=\"{}\" y=\"63\" fill=\"#5c6875\" font-family=\"{FONTS}\" \
                 font-size=\"11.5\">critical difference {critical:.2}</text>\n",
                number(to + 8.0),
                left = number(x(1.0)),
                to = number(to),
            ),
        );
    }
    push(
        &mut out,
        format_args!(
            "<path class=\"rule\" d=\"M{} {axis}H{}\" fill=\"none\" stroke=\"#5c6875\" stroke-width=\"1.2\"/>\n\
             <g class=\"faint\" fill=\"#5c6875\" font-family=\"{FONTS}\" font-size=\"11.5\">\n",
            number(x(1.0)),
            number(x(k as f64))
        ),
    );
    for rank in 1..=k {
        push(
            &mut out,
            format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{rank}</text>\n",
                number(x(rank as f64)),
                axis - 8.0
            ),
        );
    }
    out.push_str("</g>\n");
    for (i, (first, last)) in groups.iter().enumerate() {
        push(
            &mut out,
            format_args!(
                "<path class=\"ink-line\" d=\"M{} {y}H{}\" fill=\"none\" stroke=\"#17202b\" stroke-width=\"4\"/>\n",
                number(x(ranking.ranks[*first].1) - 4.0),
                number(x(ranking.ranks[*last].1) + 4.0),
                y = number(axis + 8.0 + 7.0 * i as f64),
            ),
        );
    }
    for (i, (name, rank)) in ranking.ranks.iter().enumerate() {
        let left = i < half;
        let line = if left { i } else { k - 1 - i };
        let (y, at) = (names + LINE * (line as f64 + 0.5), x(*rank));
        let end = if left { LEFT - 8.0 } else { WIDTH - RIGHT + 8.0 };
        push(
            &mut out,
            format_args!(
                "<path class=\"rule\" d=\"M{at} {axis}V{y}H{end}\" fill=\"none\" stroke=\"#5c6875\" stroke-width=\"1\"/>\n\
                 <text class=\"ink\" x=\"{}\" y=\"{}\" fill=\"#17202b\" font-family=\"{FONTS}\" font-size=\"12\" \
                 text-anchor=\"{}\">{} {rank:.2}</text>\n",
                number(if left { end - 4.0 } else { end + 4.0 }),
                number(y + 4.0),
                if left { "end" } else { "start" },
                escaped(name),
                at = number(at),
                y = number(y),
                end = number(end),
            ),
        );
    }
    (out, height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::measure;

    #[test]
    fn a_diagram_names_every_learner_and_joins_those_that_are_alike() {
        let table: Vec<Vec<f64>> = (0..8).map(|i| vec![1.0, 2.0 + f64::from(i % 2), 2.5]).collect();
        let ranking = Ranking::of(measure("shd"), 500, &["best", "tabu", "<hc>"], &table).unwrap();
        let picture = diagram(&ranking, 'a');
        for name in ["best 1.00", "tabu 2.50", "&lt;hc&gt; 2.50", "critical difference 1.17"] {
            assert!(picture.contains(name), "{name}: {picture}");
        }
        assert_eq!(picture.matches("ink-line").count(), 1);
    }
}
