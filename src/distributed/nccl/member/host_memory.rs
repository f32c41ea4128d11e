//! Exchanges of host memory, by way of the device.

use std::ptr;

use cudarc::driver::result;

use super::{Member, Message};
use crate::distributed::error::ShardError;
use crate::distributed::transport::Transport;
use crate::gpu::status::checked;

impl Member {
    /// Exchanges bytes by way of device memory, lengths of which agree.
    fn exchange_bytes(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError> {
        let done = self.exchange_staged(sent, received);
        if done.is_err() {
            // Copies may still read what the caller is free to drop.
            self.drain();
        }
        done
    }

    fn exchange_staged(
        &self,
        sent: &[&[u8]],
        received: &mut [&mut [u8]],
    ) -> Result<(), ShardError> {
        let padded = |bytes: usize| bytes.next_multiple_of(16);
        let total = |lengths: &mut dyn Iterator<Item = usize>| lengths.map(padded).sum::<usize>();
        let outgoing = total(&mut sent.iter().map(|bytes| bytes.len()));
        let incoming = total(&mut received.iter().map(|bytes| bytes.len()));
        let room = self.lock().bytes.take([outgoing.max(1), incoming.max(1)]);
        let [mut from, mut to] = room.map_err(|error| self.fail_by(&error))?;
        let handle = self.stream.handle();
        let mut messages = Vec::new();
        for (peer, bytes) in sent.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            // SAFETY: the memory has room for all that is sent.
            let copied = unsafe { result::memcpy_htod_async(from, bytes, handle) };
            checked("enqueue a copy", copied).map_err(|error| self.fail_by(&error))?;
            messages.push(Message { peer, address: from, bytes: bytes.len(), is_sent: true });
            from += padded(bytes.len()) as u64;
        }
        for (peer, bytes) in received.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            messages.push(Message { peer, address: to, bytes: bytes.len(), is_sent: false });
            to += padded(bytes.len()) as u64;
        }
        // SAFETY: the memory is of the communicator's stream, and the ranks have compared the lengths.
        unsafe { self.exchange_at(&messages) }?;
        self.wait_for_stream()?;
        let mut arrived = messages.iter().filter(|message| !message.is_sent);
        for bytes in received.iter_mut().filter(|bytes| !bytes.is_empty()) {
            let address = arrived.next().map_or(0, |message| message.address);
            // SAFETY: as many bytes have arrived there.
            let copied = unsafe { result::memcpy_dtoh_sync(bytes, address) };
            checked("copy from the device", copied).map_err(|error| self.fail_by(&error))?;
        }
        Ok(())
    }
}

impl Transport for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn all_gather(&self, words: &[u64]) -> Result<Vec<u64>, ShardError> {
        self.failure()?;
        self.bind()?;
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let (one, all) = (size_of_val(words), size_of_val(words) * self.ranks);
        let (device, host) = self.staging(all + one).map_err(|error| self.fail_by(&error))?;
        let handle = self.stream.handle();
        let own = device + all as u64;
        // SAFETY: the pinned memory has room for all words and for this rank's, and nothing uses it but this call.
        unsafe { ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), host.add(all), one) };
        // SAFETY: as above; the copy is waited for below.
        let copied = unsafe {
            let own_words = std::slice::from_raw_parts(host.add(all), one);
            result::memcpy_htod_async(own, own_words, handle)
        };
        checked("enqueue a copy", copied).map_err(|error| self.fail_by(&error))?;
        // SAFETY: the device memory is this stream's, for all words and this rank's.
        unsafe { self.all_gather_at(own, device, one) }?;
        // SAFETY: as above.
        let copied = unsafe {
            let all_words = std::slice::from_raw_parts_mut(host, all);
            result::memcpy_dtoh_async(all_words, device, handle)
        };
        checked("enqueue a copy", copied).map_err(|error| self.fail_by(&error))?;
        self.wait_for_stream()?;
        let mut gathered = vec![0u64; words.len() * self.ranks];
        // SAFETY: all words have been copied there.
        unsafe { ptr::copy_nonoverlapping(host, gathered.as_mut_ptr().cast::<u8>(), all) };
        Ok(gathered)
    }

    fn all_to_all(&self, sent: &[&[u8]], received: &mut [&mut [u8]]) -> Result<(), ShardError> {
        // No slice is as long: a rank without one for each rank says so to all.
        const NONE: u64 = u64::MAX;
        let lengths = if [sent.len(), received.len()] == [self.ranks; 2] {
            let received = received.iter().map(|bytes| bytes.len() as u64);
            sent.iter().map(|bytes| bytes.len() as u64).chain(received).collect()
        } else {
            vec![NONE; 2 * self.ranks]
        };
        let gathered = self.all_gather(&lengths)?;
        let of_ranks = gathered.chunks_exact(2 * self.ranks);
        if let Some(rank) = of_ranks.into_iter().position(|lengths| lengths.contains(&NONE)) {
            return Err(self.fail(ShardError::OutOfStep { rank }));
        }
        for from in 0..self.ranks {
            for to in 0..self.ranks {
                let sent = gathered[from * 2 * self.ranks + to];
                let expected = gathered[to * 2 * self.ranks + self.ranks + from];
                if sent != expected {
                    let (sent, expected) = (sent as usize, expected as usize);
                    return Err(self.fail(ShardError::Length { from, to, sent, expected }));
                }
            }
        }
        self.exchange_bytes(sent, received)
    }

    fn abort(&self, error: ShardError) {
        self.fail(error);
    }
}
