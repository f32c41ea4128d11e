//! Device-wide sorts.

use sortsmith::{SortOptions, Sorter};
use sortsmith_benchkit::gpu::{DeviceTime, nanoseconds};
use sortsmith_benchkit::matrix::Matrix;
use sortsmith_benchkit::{Case, Contender, Id, Library, Method, Row};

use crate::device_wide::{Arrays, Ours, Peer, SUBJECTS, Subject};
use crate::{Run, device_criterion, sample};

/// Whether all that the matrix names can be measured.
pub fn check(matrix: &Matrix) -> Result<(), String> {
    matrix.arrays.iter().try_for_each(|case| subject_of(case).map(drop))
}

fn subject_of(case: &Case) -> Result<&'static Subject, String> {
    SUBJECTS.iter().find(|subject| subject.types == case.types).ok_or_else(|| {
        let legal = SUBJECTS.each_ref().map(|subject| subject.types.to_string()).join(", ");
        format!("arrays.types is `{}`; legal: {legal}", case.types)
    })
}

/// The rows, and the bytes a second of a copy.
pub fn measure(run: &Run<'_>) -> Result<(Vec<Row>, f64), String> {
    let Run { gpu, peers, matrix } = run;
    let most = matrix.arrays.iter().map(|case| case.n).max().unwrap_or(1);
    let mut arrays = Arrays::new(gpu, most as usize, matrix.time.samples)?;
    let copy = arrays.copy_bytes_per_second()?;
    let sorter = Sorter::on(&arrays.stream).map_err(|error| error.to_string())?;
    let listed = Ours::listed()?;
    let mut criterion = device_criterion(DeviceTime::on(&arrays.stream), matrix);
    let mut group = criterion.benchmark_group("device");
    let mut rows = Vec::new();
    for case in &matrix.arrays {
        let subject = subject_of(case)?;
        let of_types = peers.map_or(Vec::new(), |peers| Peer::all_of(peers, subject.types));
        let ours: Vec<Ours> = listed.iter().filter(|it| it.has(subject)).copied().collect();
        let sorts = prepare(&mut arrays, subject, case, (&sorter, &ours), &of_types)
            .map_err(|error| format!("{case}: {error}"))?;
        let n = case.n as usize;
        for Sort { by, method, temp_bytes } in sorts {
            let library = match by {
                By::Peer(peer) => peer.library,
                By::Ours(_) => Library::Sortsmith,
            };
            let id = Id { case: *case, contender: Contender::new(library, method) };
            let name = format!("{}, {}", case.name(), id.contender);
            let times = sample(&mut group, &name, case.n, matrix.time.samples, |iterations| {
                let once = || {
                    arrays.time_once(subject, case, |arrays| match by {
                        By::Peer(peer) => peer.sort(arrays, subject, n, method),
                        By::Ours(options) => arrays.sort(subject, n, &sorter, options),
                    })
                };
                let times = std::iter::repeat_with(once).take(iterations as usize);
                times.map(|time| nanoseconds(time.expect("it has run before"))).sum()
            });
            let row =
                times.map(|times| Row { temp_bytes, ..Row::measured(id, &times, Some(copy)) });
            rows.extend(row);
        }
    }
    group.finish();
    Ok((rows, copy))
}

/// The library of a sort.
#[derive(Clone, Copy)]
enum By<'a> {
    Ours(SortOptions),
    Peer(&'a Peer),
}

/// One measurement of a case: by which library, how, and how many bytes of temporary storage it takes, where that is known.
struct Sort<'a> {
    by: By<'a>,
    method: Method,
    temp_bytes: Option<u64>,
}

/// Makes the input, and compares what ours give with what the last peer does.
fn prepare<'a>(
    arrays: &mut Arrays,
    subject: &Subject,
    case: &Case,
    (sorter, ours): (&Sorter, &[Ours]),
    peers: &'a [Peer],
) -> Result<Vec<Sort<'a>>, String> {
    let n = case.n as usize;
    arrays.generate(subject, case, sorter)?;
    let of_ours =
        |it: &Ours| Sort { by: By::Ours(it.options), method: it.method, temp_bytes: None };
    let mut sorts: Vec<Sort<'_>> = ours.iter().map(of_ours).collect();
    for peer in peers {
        for method in peer.methods(subject, case.n) {
            let temp_bytes = peer.reserve(arrays, subject, n, method)?;
            arrays.restore(subject, n)?;
            peer.sort(arrays, subject, n, method)?;
            sorts.push(Sort { by: By::Peer(peer), method, temp_bytes: Some(temp_bytes as u64) });
        }
    }
    for Ours { options, .. } in ours {
        arrays.sort(subject, n, sorter, *options)?;
        // The last peer's result is in the output.
        if sorts.len() > ours.len() {
            arrays.compare(subject, n)?;
        }
    }
    Ok(sorts)
}
