//! Agreement: the same error on all ranks.

use super::error::ShardError;
use super::transport::Transport;
use crate::error::Error;

/// The words of a message.
const TEXT_WORDS: usize = 32;

/// What a rank found out on its own.
#[derive(Debug)]
pub enum Status {
    Good,
    OutOfMemory { bytes: usize },
    Failed { reason: String },
}

impl Status {
    /// Code and detail.
    fn words(&self) -> [u64; 2] {
        match self {
            Self::Good => [0, 0],
            Self::OutOfMemory { bytes } => [1, *bytes as u64],
            Self::Failed { .. } => [2, 0],
        }
    }

    /// Of a result, with what it holds.
    pub fn of<T>(result: Result<T, Error>) -> (Self, Option<T>) {
        match result {
            Ok(found) => (Self::Good, Some(found)),
            Err(Error::OutOfMemory { bytes } | Error::OutOfDeviceMemory { bytes, .. }) => {
                (Self::OutOfMemory { bytes }, None)
            }
            Err(error) => (Self::Failed { reason: error.to_string() }, None),
        }
    }
}

/// Gathers words, and the status of all ranks: if one is not good, its error on all ranks.
pub fn gather(
    transport: &impl Transport,
    status: &Status,
    words: &[u64],
) -> Result<Vec<u64>, ShardError> {
    let mut posted = status.words().to_vec();
    posted.extend(words);
    let gathered = all_gather(transport, &posted)?;
    let mut result = Vec::with_capacity(gathered.len());
    for (rank, words) in gathered.chunks_exact(posted.len()).enumerate() {
        match words {
            [0, 0, words @ ..] => result.extend(words),
            [1, bytes, ..] => {
                return Err(ShardError::OutOfMemory { rank, bytes: *bytes as usize });
            }
            _ => return Err(ShardError::Rank { rank, reason: message(transport, status, rank)? }),
        }
    }
    Ok(result)
}

/// Gathers words, and checks their number, for the transport may be the caller's own.
fn all_gather(transport: &impl Transport, words: &[u64]) -> Result<Vec<u64>, ShardError> {
    let gathered = transport.all_gather(words)?;
    let expected = words.len() * transport.ranks();
    if gathered.len() == expected {
        return Ok(gathered);
    }
    let reason = format!("it gathered {} words, not {expected}", gathered.len());
    let error = ShardError::Transport { reason };
    transport.abort(error.clone());
    Err(error)
}

/// The message of a rank.
fn message(transport: &impl Transport, status: &Status, rank: usize) -> Result<String, ShardError> {
    let text = if let Status::Failed { reason } = status { reason.as_str() } else { "" };
    let mut bytes = [0u8; TEXT_WORDS * 8];
    let length = text.len().min(bytes.len());
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    let words: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|word| word.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
        .collect();
    let gathered = all_gather(transport, &words)?;
    let of_rank = gathered.chunks_exact(TEXT_WORDS).nth(rank).unwrap_or_default();
    let bytes: Vec<u8> = of_rank.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches('\0').trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned())
}
