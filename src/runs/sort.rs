//! The sort of pieces, each by one of the sorters.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::progress::Reached;
use crate::error::Error;
use crate::host::merge::Piece;
use crate::key::SortKey;
use crate::options::SortOptions;
use crate::sorter::Sorter;
use crate::value::SortValue;

/// The pieces that no sorter has begun. There are none after an error.
type Pieces<I> = Mutex<Option<I>>;

/// Has each sorter gather the next piece from its runs and sort it, until none is left.
pub fn sort_pieces<'p, K: SortKey, V: SortValue>(
    sorters: &[Sorter],
    pieces: impl Iterator<Item = Piece<'p, K, V>> + Send,
    options: &SortOptions,
    reached: &mut Reached<'_, '_>,
) -> Result<(), Error> {
    if let [sorter] = sorters {
        for piece in pieces {
            reached.add(sort_piece(sorter, piece, options)?)?;
        }
        return Ok(());
    }
    let pieces: Pieces<_> = Mutex::new(Some(pieces));
    let (pieces, (send, receive)) = (&pieces, mpsc::channel());
    thread::scope(|scope| {
        for sorter in sorters {
            let send = send.clone();
            scope.spawn(move || {
                while let Some(piece) = next(pieces) {
                    // The receiver is gone after an error, and there are no more pieces.
                    if send.send(sort_piece(sorter, piece, options)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let result = receive.iter().try_for_each(|sorted| reached.add(sorted?));
        if result.is_err() {
            *pieces.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        result
    })
}

/// A piece that no sorter has begun.
fn next<I: Iterator>(pieces: &Pieces<I>) -> Option<I::Item> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.next()
}

/// Gathers and sorts a piece. The result is its length.
fn sort_piece<K: SortKey, V: SortValue>(
    sorter: &Sorter,
    mut piece: Piece<'_, K, V>,
    options: &SortOptions,
) -> Result<usize, Error> {
    piece.gather();
    if size_of::<V>() == 0 {
        sorter.sort_with(piece.keys, *options)?;
    } else {
        sorter.sort_pairs_with(piece.keys, piece.values, *options)?;
    }
    Ok(piece.keys.len())
}
