//! Times of repetitions, and what is said of them.

/// The times of one sort's repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Milliseconds, the shortest first.
    sorted: Vec<f64>,
}

impl Times {
    /// The times of these repetitions; none if there are none.
    pub fn of(mut milliseconds: Vec<f64>) -> Option<Self> {
        milliseconds.sort_by(f64::total_cmp);
        (!milliseconds.is_empty()).then_some(Self { sorted: milliseconds })
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Half the distance between the first and the third quartile, in percent of the median: half of all repetitions lie
    /// about so near to the median. One repetition that was disturbed does not change it, a machine that is not calm does.
    pub fn spread_percent(&self) -> f64 {
        100.0 * (self.quantile(0.75) - self.quantile(0.25)) / 2.0 / self.median()
    }

    /// Linear between two neighbours.
    fn quantile(&self, share: f64) -> f64 {
        let position = share * (self.sorted.len() - 1) as f64;
        let (below, above) = (position.floor() as usize, position.ceil() as usize);
        let [low, high] = [below, above].map(|index| self.sorted[index]);
        low + (high - low) * (position - below as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_and_the_quartiles_around_it() {
        let times = Times::of(vec![5.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        assert!((times.median() - 3.0).abs() < 1e-12);
        // From 2 to 4 is 2, half of that a third of 3.
        assert!((times.spread_percent() - 100.0 / 3.0).abs() < 1e-9);
        let even = Times::of(vec![4.0, 1.0, 2.0, 3.0]).unwrap();
        assert!((even.median() - 2.5).abs() < 1e-12);
        assert_eq!(Times::of(Vec::new()), None);
    }

    #[test]
    fn one_disturbed_repetition_changes_no_quartile() {
        let mut times = vec![1.0; 9];
        times[4] = 50.0;
        let times = Times::of(times).unwrap();
        assert!(times.spread_percent().abs() < 1e-12);
        assert!((times.median() - 1.0).abs() < 1e-12);
    }
}
