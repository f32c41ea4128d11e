//! Classes of keys: as they occur, and adversaries, which are made from what the library's own sorts do.
//!
//! [`source`] makes their keys, on a device as on the host.

use std::fmt;
use std::fmt::Write as _;

use sortsmith_codegen::{KeyClass, Token};

use crate::Types;

/// The text that makes keys of all classes, behind the numbers that [`source`] puts before it.
const SOURCE: &str = include_str!("classes.cu");

/// Which keys a class is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// All.
    Any,
    /// Integers of 32 bits or more.
    WideIntegers,
    /// Floats of 32 bits or more.
    Floats,
}

/// What a class stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Keys that people have.
    Realistic,
    /// Keys that are made against what sorts assume.
    Adversary,
}

macro_rules! classes {
    ($($keys:ident $kind:ident $variant:ident $word:literal $doc:literal;)*) => {
        /// A class of keys. Its keys are the same in every run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Class { $(#[doc = $doc] $variant),* }

        impl Token for Class {
            const AXIS: &'static str = "class";
            fn table() -> &'static [(Self, &'static str)] {
                &[$((Self::$variant, $word)),*]
            }
        }

        impl Class {
            /// What its keys are.
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $doc),* }
            }

            /// What it stands for.
            pub fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind),* }
            }

            fn keys(self) -> Keys {
                match self { $(Self::$variant => Keys::$keys),* }
            }

            /// What the source calls it.
            fn constant(self) -> &'static str {
                match self { $(Self::$variant => concat!("k", stringify!($variant))),* }
            }
        }
    };
}

// The classes of floats come last: the source tells them apart by that.
classes! {
    Any Realistic NearlySorted "nearly sorted" "Sorted, but for one in a hundred, which is any key.";
    Any Realistic OrganPipe "organ pipe" "Sorted up to the middle, then in the opposite order.";
    Any Realistic Saw "saw" "Sorted runs of 10,000, each over all keys.";
    Any Realistic SortedBlocks "sorted blocks" "Sorted runs of 4,096, each of other keys.";
    Any Realistic Merged "merged" "An ascending and a descending run, item by item.";
    Any Realistic TwoValues "two values" "One small and one large value, at random.";
    Any Realistic ThousandValues "1000 values" "A thousand values anywhere, at random.";
    Any Realistic SixtyCopies "60 copies" "Random, but for sixty copies of one key.";
    Any Realistic MillionCopies "million copies" "Random, but for a million copies of one key, or a third of all keys.";
    Any Realistic HalfEqual "half equal" "Half of them one key, the others random.";
    Any Realistic TwoOfEach "2 of each" "Half as many values as keys, anywhere.";
    Any Realistic SixtyFourOfEach "64 of each" "A sixty-fourth as many values as keys, anywhere.";
    Any Realistic Ids "ids" "Ids from 0 on, a quarter as many as keys.";
    Any Realistic Clusters "clusters" "Two clusters, far apart, each of half of a key's bits.";
    Any Realistic Outliers "outliers" "Below 100,000, but for the largest key once in 1,024.";
    Any Realistic Scales "scales" "As many keys of each number of bits.";
    Any Realistic Strided "strided" "Multiples of 64 below 64 n, as addresses are.";
    Any Realistic Consecutive "consecutive" "Each id from 0 to n once, not in order.";
    Any Realistic SkewedBytes "skewed bytes" "The AND of three random words.";
    WideIntegers Realistic CompositeOfTwo "composite 2" "A hash above a payload; two keys share a hash on average.";
    WideIntegers Realistic CompositeOfEight "composite 8" "A hash above a payload; eight keys share a hash.";
    WideIntegers Realistic CompositeOfThirty "composite 30" "A hash above a payload; thirty keys share a hash.";
    WideIntegers Realistic CompositeOfSixtyFour "composite 64" "A hash above a payload; 64 keys share a hash.";
    WideIntegers Realistic Events "events" "Times of a day's events, nearly in order.";
    WideIntegers Realistic ShuffledEvents "shuffled events" "Times of a day's events, in no order.";
    WideIntegers Realistic Morton "morton" "Morton codes of points on a sphere.";
    WideIntegers Realistic Text "text" "The first letters of words, as frequent as in a text.";
    WideIntegers Realistic Prices "prices" "Prices in cents, most of which end in 99.";
    WideIntegers Realistic Splats "splats" "A screen's tile above a depth.";
    WideIntegers Realistic Addresses "addresses" "Hosts of networks, few of which have most hosts.";
    Any Adversary SampledMinimum "sampled minimum" "The least key wherever a sort by samples looks with a seed of 0, random elsewhere.";
    Any Adversary RepeatedByte "repeated byte" "One random byte, repeated: each digit alone is even.";
    Any Adversary RepeatedNibble "repeated nibble" "One of sixteen keys: each digit alone looks even enough.";
    Any Adversary OneLargeBucket "one large bucket" "Random, but one upper half is shared by a key of 512.";
    Any Adversary TwoUpperBytes "two upper bytes" "One of two bytes uppermost, random below.";
    WideIntegers Adversary LongRuns "long runs" "Runs of 160 that agree in the upper half, with one descent each.";
    Floats Realistic UnitFloats "unit floats" "Uniform between 0 and 1.";
    Floats Realistic Normal "normal" "Of the standard normal distribution.";
    Floats Realistic Exponential "exponential" "Of the exponential distribution.";
    Floats Realistic LogNormal "log-normal" "Of the log-normal distribution, with a sigma of 2.";
    Floats Realistic Cauchy "cauchy" "Of the Cauchy distribution.";
    Floats Realistic Mixture "mixture" "Of two normal distributions, at -1000 and 1000.";
    Floats Realistic FewNans "few NaNs" "Uniform between 0 and 1, but for 64 NaNs.";
    Floats Realistic Infinities "infinities" "Normal, but for one infinity in a hundred, of both signs.";
    Floats Realistic Masked "masked" "Normal, half of them masked as -infinity.";
    Floats Realistic Rectified "rectified" "Normal, those below 0.5 as zeros of both signs.";
    Floats Realistic Probabilities "probabilities" "Small probabilities, as a softmax gives them.";
    Floats Realistic Rounded "rounded" "Normal, rounded to multiples of 1/64.";
    Floats Adversary MaximumOnce "maximum once" "Normal, but for 3.4e38 once in 512.";
    Floats Adversary DenseZero "dense zero" "Half uniform between 0 and 1, half next to zero.";
}

impl Class {
    /// Whether keys of these types can be of the class.
    pub fn suits(self, types: Types) -> bool {
        let key = types.key.info();
        let is_float = key.class == KeyClass::Float;
        match self.keys() {
            // The source knows no floats of fewer bits.
            Keys::Any => !is_float || key.bits >= 32,
            Keys::WideIntegers => !is_float && key.bits >= 32,
            Keys::Floats => is_float && key.bits >= 32,
        }
    }

    /// The classes that suit these types.
    pub fn of(types: Types) -> impl Iterator<Item = Self> {
        Self::table().iter().map(|(class, _)| *class).filter(move |class| class.suits(types))
    }

    /// What the source's functions take for it.
    pub fn number(self) -> i32 {
        self as i32
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.token())
    }
}

/// CUDA in which `input_classes::KeyOf<T>::make(class, i, n)` is the i-th of n keys.
pub fn source() -> String {
    let classes = Class::table();
    let mut text = String::from("enum InputClass : int {\n");
    for (class, _) in classes {
        let _ = writeln!(text, "  {} = {},", class.constant(), class.number());
    }
    let is_float = |class: &Class| class.keys() == Keys::Floats;
    let integers = classes.iter().take_while(|(class, _)| !is_float(class)).count();
    let _ = writeln!(text, "  kFirstOfFloats = {integers},\n}};\n");
    text + SOURCE
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::process::Command;
    use std::sync::LazyLock;

    use super::*;

    /// Keys of a class.
    const N: usize = 50_000;

    #[test]
    fn there_are_many_classes_and_floats_come_last() {
        let classes: Vec<Class> = Class::table().iter().map(|(class, _)| *class).collect();
        assert!(classes.iter().filter(|class| class.kind() == Kind::Realistic).count() >= 30);
        assert!(classes.is_sorted_by_key(|class| class.keys() == Keys::Floats));
        for types in ["u8_keys", "u16_keys", "u32_keys", "f32_u32", "i64_keys", "u64_u32"] {
            let types = types.parse().unwrap();
            assert!(Class::of(types).count() >= 20, "{types}");
        }
        assert_eq!(Class::of("f16_keys".parse().unwrap()).count(), 0);
    }

    /// The keys of all classes by a C++ compiler: for each class and type, a line with the class's number, the type, and the
    /// keys' bits.
    fn keys() -> &'static [(i32, String, Vec<u64>)] {
        static KEYS: LazyLock<Vec<(i32, String, Vec<u64>)>> = LazyLock::new(|| compiled_keys(N));
        &KEYS
    }

    fn compiled_keys(n: usize) -> Vec<(i32, String, Vec<u64>)> {
        let folder = tempfile::tempdir().unwrap();
        let main = "
            template <typename T> void print(const char* type, int of, u64 n) {
              std::printf(\"%d %s\", of, type);
              for (u64 i = 0; i < n; ++i) {
                const T key = input_classes::KeyOf<T>::make(of, i, n);
                u64 bits = 0;
                std::memcpy(&bits, &key, sizeof(T));
                std::printf(\" %llx\", bits);
              }
              std::printf(\"\\n\");
            }
            int main() {
              for (int of = 0; of < @CLASSES@; ++of) {
                print<unsigned char>(\"u8\", of, @N@);
                print<unsigned int>(\"u32\", of, @N@);
                print<u64>(\"u64\", of, @N@);
                print<float>(\"f32\", of, @N@);
                print<double>(\"f64\", of, @N@);
              }
            }";
        let main = main
            .replace("@CLASSES@", &Class::table().len().to_string())
            .replace("@N@", &n.to_string());
        let head = "#include <cmath>\n#include <cstdio>\n#include <cstring>\n#define __device__\nusing namespace std;\n";
        let text = format!("{head}{}\nusing input_classes::u64;\n{main}\n", source());
        let (file, program) = (folder.path().join("classes.cpp"), folder.path().join("classes"));
        std::fs::write(&file, text).unwrap();
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let built = Command::new(compiler)
            .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([&program, &file])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let printed = Command::new(&program).output().unwrap();
        assert!(printed.status.success());
        let line = |line: &str| {
            let mut words = line.split(' ');
            let (class, key) = (words.next()?.parse().ok()?, words.next()?.to_owned());
            Some((class, key, words.map(|bits| u64::from_str_radix(bits, 16).unwrap()).collect()))
        };
        String::from_utf8(printed.stdout).unwrap().lines().map(|it| line(it).unwrap()).collect()
    }

    #[test]
    fn each_class_of_a_type_is_another_input() {
        let mut seen = HashSet::new();
        for (number, key, bits) in keys() {
            let (class, _) = Class::table()[usize::try_from(*number).unwrap()];
            let types: Types = format!("{key}_keys").parse().unwrap();
            assert_eq!(bits.len(), N);
            // Few bits make some of them alike.
            if class.suits(types) && key != "u8" {
                let different: HashSet<u64> = bits.iter().copied().collect();
                assert!(different.len() >= 2, "{class} of {key}");
                assert!(seen.insert((key, bits)), "{class} of {key}");
            }
        }
        assert!(seen.len() > 100);
    }

    #[test]
    fn classes_are_what_they_say() {
        let keys = keys();
        let of = |class: Class, key: &str| {
            let found = keys.iter().find(|(number, of, _)| *number == class.number() && of == key);
            found.unwrap().2.clone()
        };
        let copies = |keys: &[u64]| {
            let mut counts = std::collections::HashMap::new();
            for key in keys {
                *counts.entry(*key).or_insert(0) += 1;
            }
            counts
        };
        let of_one = |class, key| copies(&of(class, key)).into_values().max().unwrap();
        assert!((30..100).contains(&of_one(Class::SixtyCopies, "u32")));
        assert!((24_000..26_000).contains(&of_one(Class::HalfEqual, "u64")));
        assert_eq!(copies(&of(Class::TwoValues, "u8")).len(), 2);
        assert_eq!(copies(&of(Class::RepeatedNibble, "u32")).len(), 16);
        assert_eq!(copies(&of(Class::ThousandValues, "u64")).len(), 1000);
        assert_eq!(of_one(Class::Consecutive, "u64"), 1);
        assert_eq!(of(Class::Consecutive, "u64").into_iter().max(), Some(49_999));
        let ascending = of(Class::NearlySorted, "u32");
        let descents = ascending.windows(2).filter(|pair| pair[0] > pair[1]).count();
        assert!((300..1500).contains(&descents), "{descents}");
        let nans = of(Class::FewNans, "f32").into_iter();
        let nans = nans.filter(|bits| f32::from_bits(*bits as u32).is_nan()).count();
        assert!((30..120).contains(&nans), "{nans}");
        let masked = of(Class::Masked, "f64").into_iter();
        let masked = masked.filter(|bits| f64::from_bits(*bits) == f64::NEG_INFINITY).count();
        assert!((24_000..26_000).contains(&masked), "{masked}");
        // A sample sort looks at a few hundred or a few thousand positions.
        let sampled = of(Class::SampledMinimum, "u32").into_iter().filter(|key| *key == 0).count();
        assert!((500..30_000).contains(&sampled), "{sampled}");
        let hashes = copies(
            &of(Class::CompositeOfThirty, "u64").iter().map(|it| it >> 32).collect::<Vec<_>>(),
        );
        assert!((1500..1700).contains(&hashes.len()), "{}", hashes.len());
        let splats = of(Class::Splats, "u64");
        assert!(
            splats.iter().all(|key| *key < 1 << 45) && splats.iter().any(|key| *key >= 1 << 44)
        );
    }
}
