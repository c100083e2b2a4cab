//! `ossature predict`: a column from the others.

use ossature::data;
use ossature::infer::{Inference, Limit, PartialRows, PredictReport, Predictions, Unseen};
use ossature::network::Model;
use ossature::{Error, Table};

use super::sample::{Form, Target, target};
use crate::args::Predict;
use crate::failure::{Failure, named};
use crate::plan::Source;
use crate::reading;
use crate::render::{self, count};
use crate::session::Session;

pub(super) fn run(args: &Predict, session: &Session<'_>) -> Result<(), Failure> {
    let outputs = args.output.iter().map(|path| target(path)).collect::<Result<Vec<Target<'_>>, _>>()?;
    let mut model = Source::new(&args.net)?.model(session)?;
    if let Some(tokens) = &args.missing_tokens {
        model.missing_tokens.clone_from(tokens);
    }
    let asked = model.network.require(&args.target).map_err(|e| Failure::from(e).about(&args.net))?;
    if model.network.variable(asked).is_continuous() {
        let said = format!("{}: {:?} is continuous", args.net.display(), args.target);
        return Err(Failure::bad_input(said).help("only discrete variables can be predicted"));
    }
    let table = read(&model, args, session)?;
    let rows =
        PartialRows::of_table(&model, &table, args.unseen).map_err(|e| Failure::from(e).about(&args.rows))?;
    if rows.unseen() > 0 {
        let fields = count(rows.unseen(), "field");
        session.warn(format!("{fields} with a level that the network does not know, treated as missing"));
    }
    let engine = Inference::new(&model.network, Limit::default());
    let found = engine
        .predict_possible(&rows, asked, session.progress())
        .map_err(|e| session.failure(e).about(&args.net))?;
    if let Err(first) = engine.require_possible(&rows, &found) {
        let number = count(found.ruled_out.len() as u64, "row");
        session.warn(format!("{}: {number} without a prediction; {first}", named(&args.rows)));
    }
    let report = found.report(&model.network, &rows);
    for output in &outputs {
        let delimiter = output.form.delimiter();
        session.write(output.path, |out| found.write(&model.network, delimiter, out))?;
        session.note(format!(
            "wrote {}: {}",
            output.path.display(),
            count((rows.len() - found.ruled_out.len()) as u64, "prediction")
        ));
    }
    show(args, &found, &model, &report, session)
}

fn read(model: &Model, args: &Predict, session: &Session<'_>) -> Result<Table, Failure> {
    let mut options = model.read_options();
    reading::choose(&args.choice, &mut options)?;
    options.delimiter = args.delimiter;
    options.unknown_as_missing = args.unseen == Unseen::Missing;
    let files = data::table_files(&args.rows)?;
    let table = data::read_files(&files, &options, session.progress());
    table.map_err(|e| match e {
        Error::UnknownLevel { .. } => Failure::bad_input(e.to_string())
            .help("--unseen missing treats a level that the network does not know as missing"),
        e => session.failure(e).about_any(&files),
    })
}

fn show(
    args: &Predict,
    found: &Predictions,
    model: &Model,
    report: &PredictReport,
    session: &Session<'_>,
) -> Result<(), Failure> {
    if args.json {
        return session.print(|out| render::json(report, out));
    }
    if args.output.is_empty() {
        session.print_rows(|out| found.write(&model.network, Form::Csv.delimiter(), out))?;
    }
    if let (Some(accuracy), Some(loss)) = (report.accuracy, report.log_loss) {
        session.note(format!(
            "{} with the truth: accuracy {accuracy:.4}, log loss {loss:.4}",
            count(report.rows_with_truth as u64, "row")
        ));
    }
    Ok(())
}
