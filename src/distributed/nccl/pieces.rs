//! Pieces: how shares are divided, so that one piece travels while the one before it is merged.

use crate::distributed::request::Layout;

/// How many pieces of equal lengths a share has, by the least items of a share that has as many. With fewer, a merge takes longer than the exchange
/// beside it and slows it down, and nothing hides that of the last piece; with more, what each exchange takes beside its items counts.
const PIECES: [(u64, usize); 5] =
    [(1 << 29, MAX_PIECES), (1 << 26, 4), (1 << 23, 2), (1, 1), (0, 0)];

/// The most pieces of a share.
const MAX_PIECES: usize = 8;

/// The pieces of all ranks' shares, one behind the other as they lie in the result.
#[derive(Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The first item of each piece, and the end.
    pub ends: Vec<u64>,
    /// The rank that each piece is for.
    pub owners: Vec<usize>,
}

impl Pieces {
    /// Of an array that lies so over the ranks. Shares without items have no piece.
    pub fn of(layout: &Layout) -> Self {
        let (mut ends, mut owners) = (vec![0], Vec::new());
        for (rank, share) in layout.shares.windows(2).enumerate() {
            let items = share[1] - share[0];
            let pieces = pieces_of(items);
            for piece in 1..=pieces as u128 {
                ends.push(share[0] + (u128::from(items) * piece / pieces as u128) as u64);
                owners.push(rank);
            }
        }
        Self { ends, owners }
    }

    /// Where one piece ends and another one begins.
    pub fn borders(&self) -> &[u64] {
        let inner = 1..self.ends.len().saturating_sub(1).max(1);
        self.ends.get(inner).unwrap_or(&[])
    }

    /// The most borders of this number of ranks.
    pub fn max_borders(ranks: usize) -> usize {
        (ranks * MAX_PIECES).saturating_sub(1)
    }

    /// Of a share of this length: the most ranges of runs that all its pieces consist of, and the items of its longest piece.
    pub fn most_of_share(ranks: usize, items: usize) -> (usize, usize) {
        let pieces = pieces_of(items as u64);
        (ranks * pieces, items.div_ceil(pieces.max(1)))
    }
}

/// How many pieces a share of this length has.
fn pieces_of(items: u64) -> usize {
    let fitting = PIECES.into_iter().find(|(least, _)| items >= *least);
    fitting.map_or(0, |(_, pieces)| pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(shares: &[u64]) -> Pieces {
        Pieces::of(&Layout { shards: shares.to_vec(), shares: shares.to_vec() })
    }

    #[test]
    fn long_shares_have_more_pieces() {
        let both = pieces(&[0, 1 << 29, 1 << 30]);
        assert_eq!((both.owners.len(), both.borders().len()), (16, Pieces::max_borders(2)));
        assert_eq!(pieces(&[0, 1 << 28, 1 << 29]).owners, [0, 0, 0, 0, 1, 1, 1, 1]);
        let few = pieces(&[0, 7, 7, 8]);
        assert_eq!(few, Pieces { ends: vec![0, 7, 8], owners: vec![0, 2] });
        assert_eq!(few.borders(), [7]);
        assert_eq!(pieces(&[0, 0, 5]).borders(), [0u64; 0]);
        assert_eq!(pieces(&[0, 0]).borders(), [0u64; 0]);
        let two = pieces(&[0, (1 << 23) + 3]);
        assert_eq!(two.ends, [0, (1 << 22) + 1, (1 << 23) + 3]);
    }

    #[test]
    fn no_piece_is_longer_than_the_most() {
        for items in [0, 1, 19, 1 << 23, (1 << 23) + 7, (1 << 26) - 1, (1 << 26) + 19] {
            let shares = pieces(&[0, 5, 5 + items]);
            let sizes = shares.ends.windows(2).map(|it| it[1] - it[0]).skip(1);
            let (ranges, most) = Pieces::most_of_share(3, items as usize);
            assert_eq!(ranges, 3 * sizes.clone().count(), "{items}");
            assert!(sizes.clone().all(|size| size <= most as u64), "{items}");
            assert_eq!(sizes.sum::<u64>(), items);
        }
    }
}
