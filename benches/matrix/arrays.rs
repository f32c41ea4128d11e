//! Device-wide sorts.

use sortsmith::Sorter;
use sortsmith_benchkit::gpu::{DeviceTime, nanoseconds};
use sortsmith_benchkit::matrix::Matrix;
use sortsmith_benchkit::{Case, Contender, Id, Library, Method, Row};

use crate::whole::{Arrays, Peer, SUBJECTS, Subject};
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
    let mut criterion = device_criterion(DeviceTime::on(&arrays.stream), matrix);
    let mut group = criterion.benchmark_group("device");
    let mut rows = Vec::new();
    for case in &matrix.arrays {
        let subject = subject_of(case)?;
        let peer = peers.and_then(|peers| Peer::of(peers, subject.types));
        let methods = prepare(&mut arrays, subject, case, &sorter, peer.as_ref())
            .map_err(|error| format!("{case}: {error}"))?;
        let n = case.n as usize;
        for (library, method, temp_bytes) in methods {
            let id = Id { case: *case, contender: Contender::new(library, method) };
            let name = format!("{}, {}", case.name(), id.contender);
            let times = sample(&mut group, &name, case.n, matrix.time.samples, |iterations| {
                let once = || {
                    arrays.time_once(subject, case, |arrays| match (library, &peer) {
                        (Library::Cub, Some(peer)) => peer.sort(arrays, subject, n, method),
                        _ => arrays.sort(subject, n, &sorter),
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

/// Makes the input, compares what ours gives with what CUB's does, and says what there is to measure: whose, how, and how
/// many bytes of temporary storage it takes, where that is known.
fn prepare(
    arrays: &mut Arrays,
    subject: &Subject,
    case: &Case,
    sorter: &Sorter,
    peer: Option<&Peer>,
) -> Result<Vec<(Library, Method, Option<u64>)>, String> {
    let n = case.n as usize;
    arrays.fill(subject, case, sorter)?;
    let mut methods = vec![(Library::Sortsmith, Method::Into, None)];
    let Some(peer) = peer else {
        arrays.sort(subject, n, sorter)?;
        return Ok(methods);
    };
    // What ours is compared with comes last: it is in the output then.
    let of_peer = [Method::DoubleBuffer, subject.peer_method()];
    for method in of_peer.into_iter().skip(usize::from(subject.makes_positions())) {
        let temp_bytes = peer.reserve(arrays, subject, n, method)?;
        arrays.restore(subject, n)?;
        peer.sort(arrays, subject, n, method)?;
        methods.push((Library::Cub, method, Some(temp_bytes as u64)));
    }
    arrays.sort(subject, n, sorter)?;
    arrays.compare(subject, n)?;
    Ok(methods)
}
