//! Nucleus sampling: the least set of tokens with probabilities that add up to p, from the logits of a vocabulary.
//!
//! `cargo run --release --example top_p`

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::SortOptions;

const VOCABULARY: usize = 128_256;
const P: f32 = 0.9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SmallRng::seed_from_u64(3);
    // A few tokens stand out from the noise; one logit is masked, as grammars do.
    let mut logits: Vec<f32> = (0..VOCABULARY).map(|_| rng.random_range(-6.0..2.0)).collect();
    for (token, logit) in [(42, 14.0), (4711, 13.5), (100_000, 12.0), (9, 11.0)] {
        logits[token] = logit;
    }
    logits[13] = f32::NEG_INFINITY;

    // The likeliest first, each with its token. The masked one comes last.
    let mut sorted = logits.clone();
    let mut tokens: Vec<u32> = (0..VOCABULARY as u32).collect();
    sortsmith::sort_pairs_with(&mut sorted, &mut tokens, SortOptions::new().descending())?;
    assert_eq!((tokens[0], tokens[VOCABULARY - 1]), (42, 13));

    let weights: Vec<f64> = sorted.iter().map(|it| f64::from(it - sorted[0]).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut sum = 0.0;
    let kept = 1 + weights
        .iter()
        .take_while(|weight| {
            sum += *weight / total;
            sum < f64::from(P)
        })
        .count();

    // One draw from what is kept.
    let mut left = rng.random_range(0.0..weights[..kept].iter().sum::<f64>());
    let drawn = weights[..kept].iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    println!(
        "{kept} of {VOCABULARY} tokens have a probability of {P}: {:?}",
        &tokens[..kept.min(8)]
    );
    println!("drawn: {:?}; on the {} backend", drawn.map(|at| tokens[at]), sortsmith::backend()?);
    Ok(())
}
