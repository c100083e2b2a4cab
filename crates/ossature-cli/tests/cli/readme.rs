//! The tour and the page on asking, replayed: every `$ ossature` line must print the text below it.

use std::fs;
use std::path::Path;

use crate::run::Folder;

/// A text without figures of performance: times, and the number of tests computed.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line {
        _ if line.starts_with("time ") => "time".to_owned(),
        _ if line.starts_with("tests ") => line.split(" asked").next().unwrap_or_default().to_owned(),
        _ => line.to_owned(),
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_tour_is_what_the_command_prints() {
    assert_eq!(replay("docs/tour.md"), 12, "the tour has as many steps as this test thinks");
}

#[test]
fn the_page_on_asking_is_what_the_command_prints() {
    assert_eq!(replay("docs/asking.md"), 12, "the page has as many steps as this test thinks");
}

/// Replays the commands of a page, each of which must print the text below it. Returns their number.
fn replay(page: &str) -> usize {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let readme = fs::read_to_string(readme).unwrap().replace("\r\n", "\n");
    let folder = Folder::new();
    let mut replayed = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        for step in block.split("$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap();
            let words: Vec<&str> = command.split(' ').collect();
            match words[..] {
                ["cat", file] => folder.write(file, shown),
                ["ossature", ref words @ .., "|", "head", lines] => {
                    let lines = lines.trim_start_matches('-').parse().unwrap();
                    let out = folder.run_words(words).out;
                    assert_eq!(out.lines().take(lines).collect::<Vec<_>>().join("\n"), shown.trim_end());
                    replayed += 1;
                }
                ["ossature", ref words @ ..] => {
                    let answer = folder.run_words(words);
                    let told = timeless(&(answer.err + &answer.out));
                    assert_eq!(told, timeless(shown), "{command}");
                    replayed += 1;
                }
                _ => panic!("{command:?} cannot be replayed"),
            }
        }
    }
    replayed
}
