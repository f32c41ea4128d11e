//! The families of device-wide sorts: the one table that lists them, and the enum that it makes.

/// The families of device-wide sorts, a row each: the variant of [`DeviceAlgorithm`] with its options, the word for it in names, and
/// the type that implements `DeviceFamily`, from the crate's root.
///
/// Expands to the macro of that name with the rows.
macro_rules! device_families {
    ($with:ident) => {
        $with! {
            /// Digit by digit, from the lowest: any number of items.
            Radix "radix" device::radix::Radix;
            /// Partitioned into buckets by samples, each bucket sorted by a block: small n.
            Sample "sample" device::sample::Sample;
            /// By a network of comparisons: any number of items, and what is compared and where depends on that number alone.
            Bitonic {
                /// Whether the positions of pairs are compared where keys are equal.
                stable,
            } "bitonic" device::bitonic::Bitonic;
            /// Partitioned by one or two levels of splitters, each bucket sorted by a block: many items.
            Partition "partition" device::partition::Partition;
        }
    };
}
pub(crate) use device_families;

macro_rules! device_algorithm {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$option_doc:meta])* $option:ident,)* })? $word:literal $family:path;
    )*) => {
        /// How an array is sorted device-wide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DeviceAlgorithm {
            $($(#[$doc])* $variant $({ $($(#[$option_doc])* $option: bool,)* })?,)*
        }

        impl DeviceAlgorithm {
            /// All, without options.
            pub const ALL: [Self; [$($word),*].len()] =
                [$(Self::$variant $({ $($option: false),* })?),*];

            /// The word for it on the command line and in reports.
            pub const fn token(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => concat!("device-", $word),)*
                }
            }

            /// The word for it in names.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $word,)*
                }
            }

            /// The first part of the names of its specs.
            pub(crate) const fn prefix(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => concat!("device_", $word, "_sort_"),)*
                }
            }

            /// The same with each option as the function of its name and its value says, in the order of names.
            pub(crate) fn map_options(self, mut map: impl FnMut(&'static str, bool) -> bool) -> Self {
                match self {
                    $(
                        Self::$variant $({ $($option),* })? => Self::$variant $({
                            $($option: map(stringify!($option), $option)),*
                        })?,
                    )*
                }
            }
        }
    };
}
device_families!(device_algorithm);

impl DeviceAlgorithm {
    /// The names of the options that are chosen.
    pub(crate) fn chosen_options(self) -> Vec<&'static str> {
        let mut chosen = Vec::new();
        self.map_options(|name, is_chosen| {
            chosen.extend(is_chosen.then_some(name));
            is_chosen
        });
        chosen
    }

    /// The names of all its options.
    pub(crate) fn options(self) -> Vec<&'static str> {
        self.map_options(|_, _| true).chosen_options()
    }
}
