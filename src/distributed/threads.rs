//! Ranks that are threads of one process.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::ShardError;
use super::transport::Transport;
use crate::memory::copy_of;

/// A rank of a group of threads of one process. It may be sent to its thread; a group's ranks are to be used on different threads, for
/// calls wait for one another.
///
/// ```
/// use std::time::Duration;
///
/// use sortsmith::distributed::{ShardError, ThreadTransport, Transport};
///
/// let limit = Duration::from_millis(10);
/// let [first, second] = ThreadTransport::group(2, limit).try_into().expect("two ranks");
/// // The second rank does not come.
/// assert_eq!(first.all_gather(&[7]), Err(ShardError::TimedOut { rank: 1, limit }));
/// assert_eq!(second.all_gather(&[8]), Err(ShardError::TimedOut { rank: 1, limit }));
/// ```
#[derive(Debug)]
pub struct ThreadTransport {
    group: Arc<Group>,
    rank: usize,
}

#[derive(Debug)]
struct Group {
    limit: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// The number of rounds that have ended.
    rounds: u64,
    /// What the ranks that have come bring to the present round.
    posts: Vec<Option<Post>>,
    /// What was brought to the last round, until all ranks have taken it.
    last: Option<Arc<[Post]>>,
    /// How many ranks have taken it.
    taken: usize,
    /// The ranks that have ended.
    ended: Vec<bool>,
    failure: Option<ShardError>,
}

/// What a rank brings to a round.
#[derive(Debug)]
enum Post {
    Words(Vec<u64>),
    /// Words to be added; when the round has ended rank 0's are the sums.
    Addends(Vec<u64>),
    Bytes {
        /// For each rank. They are copies, so that a rank may leave whatever the others do.
        sent: Vec<Vec<u8>>,
        /// The lengths that it expects of each rank.
        expected: Vec<usize>,
    },
}

impl ThreadTransport {
    /// The transports of a group, one for each rank in order. No rank waits longer than `limit` for the others, so it must be more than
    /// their local work may differ by: the sort of the longest shard, if others are short.
    pub fn group(ranks: usize, limit: Duration) -> Vec<Self> {
        let state = State {
            rounds: 0,
            posts: (0..ranks).map(|_| None).collect(),
            last: None,
            taken: 0,
            ended: vec![false; ranks],
            failure: None,
        };
        let group = Arc::new(Group { limit, state: Mutex::new(state), changed: Condvar::new() });
        (0..ranks).map(|rank| Self { group: Arc::clone(&group), rank }).collect()
    }

    /// Brings a post to the present round, and waits for those of all ranks.
    fn meet(&self, post: Post) -> Result<Arc<[Post]>, ShardError> {
        let deadline = Instant::now() + self.group.limit;
        let mut state = self.group.lock();
        if let Some(rank) = state.ended.iter().position(|ended| *ended) {
            self.group.fail(&mut state, ShardError::Lost { rank });
        }
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let round = state.rounds;
        state.posts[self.rank] = Some(post);
        if state.posts.iter().all(Option::is_some) {
            let mut posts: Vec<Post> = state.posts.iter_mut().filter_map(Option::take).collect();
            if let Some(error) = disagreement(&posts) {
                self.group.fail(&mut state, error);
            } else {
                add(&mut posts);
                (state.rounds, state.taken, state.last) = (round + 1, 0, Some(posts.into()));
            }
            self.group.changed.notify_all();
        }
        loop {
            // No rank begins the round after the next one before all have taken this one's.
            if state.rounds > round {
                return state.take().ok_or(ShardError::OutOfStep { rank: self.rank });
            }
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let rank = state.posts.iter().position(Option::is_none).unwrap_or_default();
                self.group.fail(&mut state, ShardError::TimedOut { rank, limit: self.group.limit });
                continue;
            }
            let waited = self.group.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    /// What was brought to the last round. It is released when all ranks have taken it.
    fn take(&mut self) -> Option<Arc<[Post]>> {
        self.taken += 1;
        if self.taken < self.posts.len() { self.last.clone() } else { self.last.take() }
    }
}

impl Group {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the group with this error, unless it has ended with another.
    fn fail(&self, state: &mut State, error: ShardError) {
        state.failure.get_or_insert(error);
        self.changed.notify_all();
    }
}

impl Transport for ThreadTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.group.lock().posts.len()
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        let posts = self.meet(Post::Words(words.to_vec()))?;
        let mut gathered = Vec::with_capacity(words.len() * posts.len());
        for post in posts.iter() {
            if let Post::Words(words) = post {
                gathered.extend_from_slice(words);
            }
        }
        Ok(gathered)
    }

    fn all_sum(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        let posts = self.meet(Post::Addends(words.to_vec()))?;
        Ok(if let Some(Post::Addends(sums)) = posts.first() { sums.clone() } else { Vec::new() })
    }

    fn all_to_all(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError> {
        let copies: Result<Vec<Vec<u8>>, _> = sent.iter().map(|bytes| copy_of(bytes)).collect();
        let Ok(copies) = copies else {
            let bytes = sent.iter().map(|bytes| bytes.len()).sum();
            let error = ShardError::OutOfMemory { rank: self.rank, bytes };
            self.abort(error.clone());
            return Err(error);
        };
        let expected = received.iter().map(|bytes| bytes.len()).collect();
        let posts = self.meet(Post::Bytes { sent: copies, expected })?;
        for (post, received) in posts.iter().zip(received) {
            if let Post::Bytes { sent, .. } = post {
                received.copy_from_slice(&sent[self.rank]);
            }
        }
        Ok(())
    }

    fn abort(&self, error: ShardError) {
        self.group.fail(&mut self.group.lock(), error);
    }
}

impl Drop for ThreadTransport {
    fn drop(&mut self) {
        let mut state = self.group.lock();
        state.ended[self.rank] = true;
        let is_awaited =
            state.posts.iter().any(Option::is_some) && state.posts[self.rank].is_none();
        if is_awaited {
            self.group.fail(&mut state, ShardError::Lost { rank: self.rank });
        }
    }
}

/// Adds all ranks' words to rank 0's.
fn add(posts: &mut [Post]) {
    let Some((Post::Addends(sums), others)) = posts.split_first_mut() else { return };
    for post in others {
        if let Post::Addends(words) = post {
            sums.iter_mut().zip(words).for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
        }
    }
}

/// The error of a round in which the ranks do not bring what belongs together.
fn disagreement(posts: &[Post]) -> Option<ShardError> {
    let is_like_first = |post: &Post| match (post, &posts[0]) {
        (Post::Words(words), Post::Words(first)) | (Post::Addends(words), Post::Addends(first)) => {
            words.len() == first.len()
        }
        (Post::Bytes { sent, expected }, Post::Bytes { .. }) => {
            [sent.len(), expected.len()] == [posts.len(); 2]
        }
        _ => false,
    };
    if let Some(rank) = posts.iter().position(|post| !is_like_first(post)) {
        return Some(ShardError::OutOfStep { rank });
    }
    let pairs = (0..posts.len()).flat_map(|from| (0..posts.len()).map(move |to| (from, to)));
    pairs.into_iter().find_map(|(from, to)| match (&posts[from], &posts[to]) {
        (Post::Bytes { sent, .. }, Post::Bytes { expected, .. }) => {
            let (sent, expected) = (sent[to].len(), expected[from]);
            (sent != expected).then_some(ShardError::Length { from, to, sent, expected })
        }
        _ => None,
    })
}
