//! The bundles of this process, and the images in them that a kernel can use.

use std::cmp::Reverse;
use std::ptr;
use std::sync::{PoisonError, RwLock};

use sortsmith_codegen::VERSION;
use sortsmith_codegen::cache::source_key;
use sortsmith_codegen::toolchain::{Format, Source};

use super::bundle::{Bundle, Image};
use crate::settings::Settings;

/// The registered bundles.
#[derive(Debug, Default)]
pub struct Registry(RwLock<Vec<&'static Bundle>>);

impl Registry {
    /// No bundles yet.
    pub const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// The registry that `embed!` adds to.
    pub fn of_this_process() -> &'static Self {
        static PROCESS: Registry = Registry::new();
        &PROCESS
    }

    /// Registers a bundle; a second call with the same one does nothing.
    pub fn register(&self, bundle: &'static Bundle) {
        let mut bundles = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if bundles.iter().any(|known| ptr::eq(*known, bundle)) {
            return;
        }
        bundles.push(bundle);
        Settings::from_env().say(|| match bundle.foreign_generator() {
            Some(version) => format!(
                "warning: embedded kernels of sortsmith {version} are not used, because this is {VERSION}: \
                 build-dependency and dependency must be of one version"
            ),
            None => format!("embedded: {bundle}"),
        });
    }

    /// The images of a source that a device of this architecture can run, the best first.
    pub fn images(
        &self,
        source: &Source<'_>,
        arch: u32,
        settings: Settings,
    ) -> Vec<&'static Image> {
        let bundles = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let own = bundles.iter().filter(|bundle| bundle.foreign_generator().is_none());
        let named = own.flat_map(|bundle| bundle.images()).filter(|it| it.name() == source.name);
        let named: Vec<&Image> = named.collect();
        if named.is_empty() {
            return named;
        }
        let key = source_key(source).to_string();
        let (mut images, stale): (Vec<_>, Vec<_>) =
            named.into_iter().partition(|image| image.source() == key);
        if !stale.is_empty() {
            let name = source.name;
            settings.say(|| format!("warning: the embedded {name} is of another source; not used"));
        }
        images.retain(|image| image.format().runs_on(image.arch(), arch));
        images.retain(|image| {
            let damage = image.damage();
            if let Some(reason) = damage {
                let (name, format, target) = (image.name(), image.format(), image.arch());
                settings.say(|| {
                    format!("warning: the embedded {format} of {name} for sm_{target} is not used: {reason}")
                });
            }
            damage.is_none()
        });
        images.sort_by_key(|image| (image.format() == Format::Ptx, Reverse(image.arch())));
        images
    }
}

#[cfg(test)]
pub mod tests;
