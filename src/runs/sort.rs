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

/// The pieces that no sort has begun. There are none after an error.
type Pieces<I> = Mutex<Option<I>>;

/// Sorts each piece, as many at the same time as there are sorts.
pub fn sort_pieces<'p, K: SortKey, V: SortValue>(
    sorts: &[PieceSort<'_, K, V>],
    pieces: impl Iterator<Item = Piece<'p, K, V>> + Send,
    reached: &mut Reached<'_, '_>,
) -> Result<(), Error> {
    if let [sort] = sorts {
        for piece in pieces {
            reached.add(sort_piece(sort, piece)?)?;
        }
        return Ok(());
    }
    let pieces: Pieces<_> = Mutex::new(Some(pieces));
    let (pieces, (send, receive)) = (&pieces, mpsc::channel());
    thread::scope(|scope| {
        for sort in sorts {
            let send = send.clone();
            scope.spawn(move || {
                while let Some(piece) = next(pieces) {
                    // The receiver is gone after an error, and there are no more pieces.
                    if send.send(sort_piece(sort, piece)).is_err() {
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

/// A piece that no sort has begun.
fn next<I: Iterator>(pieces: &Pieces<I>) -> Option<I::Item> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.next()
}

/// Sorts a piece. The result is its length.
fn sort_piece<K: SortKey, V: SortValue>(
    sort: &PieceSort<'_, K, V>,
    mut piece: Piece<'_, K, V>,
) -> Result<usize, Error> {
    sort(&mut piece)?;
    Ok(piece.keys.len())
}
