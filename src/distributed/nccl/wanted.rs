//! What one thread asks of another one that waits.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::distributed::error::ShardError;

/// The error with which another thread ends the group, while one waits.
#[derive(Debug, Default)]
pub struct Wanted(Mutex<Option<ShardError>>);

impl Wanted {
    fn lock(&self) -> MutexGuard<'_, Option<ShardError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the group's end.
    pub fn ask(&self, error: ShardError) {
        self.lock().get_or_insert(error);
    }

    /// The error, once.
    pub fn take(&self) -> Option<ShardError> {
        self.lock().take()
    }
}
