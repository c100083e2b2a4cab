//! Learns from samples of embedded networks by learners of the catalogue, one thread, and says how long it took.
//! Arguments: threads, limit in seconds, then NETWORK:ROWS:LEARNER[:setting=value]...
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use ossature::learn::{Asked, Catalogue};
use ossature::network::catalogue;
use ossature::{Event, Progress, Silent, Stop};
struct Limit(Instant);
impl Progress for Limit {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        if Instant::now() > self.0 { ControlFlow::Break(Stop::Finish) } else { ControlFlow::Continue(()) }
    }
}
fn main() {
    let mut args = std::env::args().skip(1);
    let threads: usize = args.next().unwrap().parse().unwrap();
    let limit: u64 = args.next().unwrap().parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let all = Catalogue::standard();
    for job in args {
        let mut words = job.split(':');
        let (network, rows, learner) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let network = catalogue::load(network).unwrap();
        let data = network.sample(rows.parse().unwrap(), 1, &Silent).unwrap();
        if learner == "write" {
            let path = format!("{}.csv", words.next().unwrap());
            data.write_csv(&mut std::fs::File::create(path).unwrap()).unwrap();
            continue;
        }
        let mut asked = Asked::learner(learner);
        if let Some((first, second)) = learner.split_once('+') {
            asked = Asked { restrict: Some(first.into()), maximise: Some(second.into()), ..Asked::default() };
        }
        for word in words {
            let (name, value) = word.split_once('=').unwrap();
            let value = all.setting(name).unwrap().parse(value).unwrap();
            asked = asked.with(name, value);
        }
        let settings = all.resolve(&asked).unwrap();
        let learner = all.build(&settings, &data).unwrap();
        let clock = Instant::now();
        let learned = match learner.learn(&data, &Limit(clock + Duration::from_secs(limit))) {
            Ok(learned) => learned,
            Err(error) => { println!("{job:<44} {error}"); continue; }
        };
        let seconds = clock.elapsed().as_secs_f64();
        let shd = learned.graph.cpdag().map(|class| ossature::graph::compare(&network.dag().cpdag(), &class).shd);
        let peak = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = peak.lines().find(|l| l.starts_with("VmHWM")).unwrap().split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10;
        let gap = learned.bound.zip(learned.score).map(|(b, s)| format!("{:.4}%", 100.0 * (b - s) / s.abs()));
        println!("{job:<44} {seconds:9.3} s  (restrict {:.3})  score {:.4}  gap {}  complete {}  moves {}  shd {:?}  peak {peak} MB",
            learned.seconds.restrict, learned.score.unwrap_or(0.0), gap.unwrap_or("-".into()), learned.complete, learned.moves, shd);
    }
}
