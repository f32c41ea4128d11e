//! The sort of each run, by one of the sorters.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::{Callback, RunProgress, RunStage, report};
use crate::error::Error;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::sorter::Sorter;
use crate::value::SortValue;

/// The runs that no sorter has begun. There are none after an error.
type Runs<'a, K, V> =
    Mutex<Option<Box<dyn Iterator<Item = (&'a mut [K], &'a mut [V])> + Send + 'a>>>;

/// Sorts runs of this length, and a shorter last one.
pub fn sort_runs<K: SortKey, V: SortValue>(
    sorters: &[Sorter],
    run: usize,
    (keys, values): (&mut [K], &mut [V]),
    options: &SortOptions,
    progress: &mut Callback<'_>,
) -> Result<(), Error> {
    let mut reached = RunProgress { stage: RunStage::Sort, done: 0, items: keys.len() };
    let runs = keys.chunks_mut(run).zip(values.chunks_mut(run));
    if let [sorter] = sorters {
        for (keys, values) in runs {
            reached.done += sort_run(sorter, keys, values, options)?;
            report(progress, reached)?;
        }
        return Ok(());
    }
    let runs: Runs<'_, K, V> = Mutex::new(Some(Box::new(runs)));
    let (runs, (send, receive)) = (&runs, mpsc::channel());
    thread::scope(|scope| {
        for sorter in sorters {
            let send = send.clone();
            scope.spawn(move || {
                while let Some((keys, values)) = next(runs) {
                    // The receiver is gone after an error, and there are no more runs.
                    if send.send(sort_run(sorter, keys, values, options)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let result = receive.iter().try_for_each(|sorted| {
            reached.done += sorted?;
            report(progress, reached)
        });
        if result.is_err() {
            *runs.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        result
    })
}

/// A run that no sorter has begun.
fn next<'a, K, V>(runs: &Runs<'a, K, V>) -> Option<(&'a mut [K], &'a mut [V])> {
    runs.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.next()
}

/// Sorts a run. The result is its length.
fn sort_run<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    keys: &mut [K],
    values: &mut [V],
    options: &SortOptions,
) -> Result<usize, Error> {
    if size_of::<V>() == 0 {
        sorter.sort_with(keys, *options)?;
    } else {
        sorter.sort_pairs_with(keys, values, *options)?;
    }
    Ok(keys.len())
}
