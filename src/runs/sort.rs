//! The sort of pieces, several at the same time.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::progress::Reached;
use crate::error::Error;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::value::SortValue;

/// A stable sort of what a piece's runs have, one behind the other, to its slots; without runs, of what the slots have.
pub type PieceSort<'s, K, V> =
    Box<dyn Fn(&mut Piece<'_, K, V>) -> Result<(), Error> + Send + Sync + 's>;

/// Sorts the next piece, if there is one. The result is its length.
type SortNext<'s> = Box<dyn Fn() -> Option<Result<usize, Error>> + Sync + 's>;

/// Sorts each piece, as many at the same time as there are sorts.
pub fn sort_pieces<K: SortKey, V: SortValue>(
    sorts: &[PieceSort<'_, K, V>],
    pieces: &mut (dyn Iterator<Item = Piece<'_, K, V>> + Send),
    reached: &mut Reached<'_, '_>,
) -> Result<(), Error> {
    let pieces = &Mutex::new(pieces);
    let sort_next = |sort: &PieceSort<'_, K, V>| {
        // The lock is not held while the piece is sorted.
        let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        let mut piece = next?;
        Some(sort(&mut piece).map(|()| piece.keys.len()))
    };
    let mut sorts_of_next: Vec<SortNext<'_>> = Vec::with_capacity(sorts.len());
    for sort in sorts {
        sorts_of_next.push(Box::new(move || sort_next(sort)));
    }
    sort_all(&sorts_of_next, reached)
}

/// Runs each of these again and again, until there are no more pieces or one fails. One text for all types of keys and values.
fn sort_all(sorts: &[SortNext<'_>], reached: &mut Reached<'_, '_>) -> Result<(), Error> {
    if let [sort] = sorts {
        while let Some(sorted) = sort() {
            reached.add(sorted?)?;
        }
        return Ok(());
    }
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for sort in sorts {
            let send = send.clone();
            scope.spawn(move || {
                while let Some(sorted) = sort() {
                    let is_last = sorted.is_err();
                    // The receiver is gone after an error of another sort.
                    if send.send(sorted).is_err() || is_last {
                        break;
                    }
                }
            });
        }
        drop(send);
        let result = receive.iter().try_for_each(|sorted| reached.add(sorted?));
        drop(receive);
        result
    })
}
