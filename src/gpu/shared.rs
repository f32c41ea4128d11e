//! Objects that several sorters share.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A list of the live objects of one kind. It keeps none of them alive.
#[derive(Debug)]
pub struct Shared<T>(Mutex<Vec<Weak<T>>>);

impl<T> Shared<T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The live object that `is_wanted` accepts, or a new one. Other threads wait while `make` runs.
    pub fn find_or_make<E>(
        &self,
        is_wanted: impl Fn(&T) -> bool,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let mut objects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        objects.retain(|object| object.strong_count() > 0);
        if let Some(found) = objects.iter().filter_map(Weak::upgrade).find(|it| is_wanted(it)) {
            return Ok(found);
        }
        let object = Arc::new(make()?);
        objects.push(Arc::downgrade(&object));
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_shared_while_it_lives() {
        let numbers = Shared::<u32>::new();
        let get = |wanted: u32| numbers.find_or_make(|it| *it == wanted, || Ok::<_, ()>(wanted));
        let seven = get(7).expect("it is made");
        assert!(Arc::ptr_eq(&seven, &get(7).expect("it is found")));
        drop(seven);
        assert_eq!(numbers.0.lock().expect("no thread panicked").len(), 1);
        assert_eq!(*get(8).expect("it is made"), 8);
        assert_eq!(numbers.0.lock().expect("no thread panicked").len(), 1);
    }
}
