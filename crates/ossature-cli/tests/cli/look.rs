//! Output to look at: pages, two structures overlaid, strengths, and BIF that other programs read.

use serde_json::Value;

use crate::run::Folder;

/// The data that a page gives its scripts.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_is_one_file_that_asks_for_nothing() {
    let folder = Folder::new();
    folder.run("convert asia asia.html").done();
    // The SVG namespace looks like an address, but is not one.
    let page = folder.read("asia.html").replace("http://www.w3.org/2000/svg", "svg");
    assert!(page.starts_with("<!doctype html>"));
    for reaches_out in ["http:", "https:", "src=", "import(", "fetch(", "@import", "url(h"] {
        assert!(!page.contains(reaches_out), "{reaches_out}");
    }
    let data = data_of(&page);
    assert_eq!(data["nodes"].as_array().unwrap().len(), 8);
    assert_eq!(data["tree"]["cliques"].as_array().unwrap().len(), 6);
    folder.run("convert asia.html asia.dot").fails(3, &["asia.html is a drawing"]);
    folder.run("convert asia asia.html.gz").done();
    assert!(folder.files().contains(&"asia.html.gz".to_owned()));
}

#[test]
fn what_was_learned_has_tables_and_evidence_in_its_page() {
    let folder = Folder::new();
    folder.run("-q learn asia --rows 1000 --seed 1 -o net.html -o net.bif").done();
    let data = data_of(&folder.read("net.html"));
    assert!(data["tree"].is_object());
    assert_eq!(data["strength"]["name"], "loss of score");
    assert!(!data["separations"].as_array().unwrap().is_empty());
    for edge in data["edges"].as_array().unwrap() {
        assert!(!edge["sentences"].as_array().unwrap().is_empty(), "{edge}");
        assert!(edge["facts"].to_string().contains("without it, separated by"), "{edge}");
    }
    // A skeleton has no tables, and the page says so.
    folder.run("-q learn asia --rows 500 --learner hpc -o skeleton.html").done();
    let data = data_of(&folder.read("skeleton.html"));
    assert!(data["tree"].is_null() && data["refusal"].as_str().unwrap().contains("no probability tables"));
}

#[test]
fn a_network_that_is_too_large_for_a_page_says_so() {
    let folder = Folder::new();
    folder.run("-q convert link link.html").done();
    let data = data_of(&folder.read("link.html"));
    assert!(data["tree"].is_null() && data["refusal"].as_str().unwrap().contains("too large for a page"));
    assert_eq!(data["nodes"].as_array().unwrap().len(), 724);
}

#[test]
fn two_structures_are_laid_over_each_other() {
    let folder = Folder::new();
    folder.write("a.csv", "from,to\nx,z\ny,z\nz,w\nu,w\n");
    folder.write("b.csv", "from,to\nx,z\ny,z\nv,z\nw,z\n");
    let answer = folder.run("compare a.csv b.csv -o diff.svg -o diff.html");
    assert!(answer.out.starts_with("SHD") && answer.err.contains("wrote diff.svg\nwrote diff.html"));
    let svg = folder.read("diff.svg");
    for part in
        ["alike (2)", "only in A (1)", "only in B (1)", "other direction in B (1)", "z → w in A, w → z in B"]
    {
        assert!(svg.contains(part), "{part}");
    }
    let kinds: Vec<Value> = data_of(&folder.read("diff.html"))["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["kind"].clone())
        .collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "turned").count(), 1);
    folder.run("compare a.csv b.csv -o diff.dot").fails(2, &["diff.dot", ".svg or .html"]);
}

#[test]
fn strengths_are_line_widths_and_a_plot() {
    let folder = Folder::new();
    let learn = "-q learn asia --rows 500 --seed 1 --bootstrap 12";
    folder.run(&format!("{learn} -o sure.svg -o sure.json --plot-strengths plot.svg")).done();
    let report: Value = serde_json::from_str(&folder.read("sure.json")).unwrap();
    let sure = &report["bootstrap"];
    let (svg, plot) = (folder.read("sure.svg"), folder.read("plot.svg"));
    let arcs = sure["arcs"].as_array().unwrap();
    assert_eq!(svg.matches("(strength ").count(), report["arcs"].as_array().unwrap().len());
    assert_eq!(plot.matches("<circle").count(), arcs.len());
    assert!(plot.contains(&format!("threshold {:.2}", sure["threshold"].as_f64().unwrap())));
    folder.run("learn asia --plot-strengths plot.svg").fails(2, &["--bootstrap"]);
    folder.run(&format!("{learn} --plot-strengths plot.png")).fails(2, &["plot.png"]);
    folder.run(&format!("{learn} --plot-strengths plot.dot")).fails(2, &["plot.dot", ".svg"]);
}

#[test]
fn bif_has_names_that_others_read_and_keeps_the_originals() {
    let folder = Folder::new();
    folder.write("a.csv", "the age,ill\n10,no\n20,no\n60,yes\n70,yes\n");
    folder.write("g.csv", "from,to\nthe age,ill\n");
    let fit = "-q fit a.csv g.csv --discretise";
    let words = |more: &'static str| {
        [fit.split(' ').collect::<Vec<_>>(), vec!["the age=cuts:40"], more.split(' ').collect()].concat()
    };
    folder.run_words(&words("-o auto.bif -o model.json")).done();
    folder.run_words(&words("--bif-labels quoted -o quoted.bif")).done();
    let (auto, quoted) = (folder.read("auto.bif"), folder.read("quoted.bif"));
    assert!(
        auto.contains("variable the_age") && auto.contains("{ inf_40, l_40_inf }") && !auto.contains('"')
    );
    assert!(quoted.contains("variable \"the age\"") && !quoted.contains("property"));
    // To us both are the same network.
    folder.run("convert auto.bif one.json").done();
    folder.run("convert quoted.bif other.json").done();
    assert_eq!(folder.read("one.json"), folder.read("other.json"));
    // Labels are changed only if necessary, unless asked for.
    folder.run("-q convert child plain.bif").done();
    folder.run("-q convert child safe.bif --bif-labels safe").done();
    assert!(folder.read("plain.bif").contains("<7.5") && !folder.read("safe.bif").contains("<7.5"));
    folder.run("convert child x.bif --bif-labels loud").fails(2, &["loud", "safe"]);
}
