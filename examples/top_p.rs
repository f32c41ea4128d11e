//! Nucleus sampling: the least set of tokens with probabilities that add up to p, from the logits of a vocabulary, for each sequence of a
//! batch. Only the likeliest tokens of each are sorted, on the device that has the logits if there is one.
//!
//! `cargo run --release --example top_p`

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sortsmith::Sorter;

const SEQUENCES: usize = 4;
const VOCABULARY: usize = 128_256;
/// Tokens of which the set is one.
const K: usize = 1024;
const P: f32 = 0.9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SmallRng::seed_from_u64(3);
    // A few tokens stand out from the noise; one logit is masked, as grammars do.
    let mut logits: Vec<f32> =
        (0..SEQUENCES * VOCABULARY).map(|_| rng.random_range(-6.0..2.0)).collect();
    for row in logits.chunks_mut(VOCABULARY) {
        for (token, logit) in [(42, 14.0), (4711, 13.5), (100_000, 12.0), (9, 11.0)] {
            row[token] = logit;
        }
        row[13] = f32::NEG_INFINITY;
    }
    let sorter = Sorter::new()?;
    let (found, tokens) = likeliest(&sorter, &logits)?;
    let rows = found.chunks(K).zip(tokens.chunks(K)).zip(logits.chunks(VOCABULARY));
    for ((found, tokens), logits) in rows {
        let weight = |logit: &f32| f64::from(logit - found[0]).exp();
        let total: f64 = logits.iter().map(weight).sum();
        let weights: Vec<f64> = found.iter().map(weight).collect();
        let mut sum = 0.0;
        let is_below = |weight: &&f64| {
            sum += *weight / total;
            sum < f64::from(P)
        };
        let kept = (1 + weights.iter().take_while(is_below).count()).min(K);

        // One draw from what is kept.
        let mut left = rng.random_range(0.0..weights[..kept].iter().sum::<f64>());
        let drawn = weights[..kept].iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        println!(
            "{kept} of {VOCABULARY} tokens have a probability of {P}: {:?}, drawn: {:?}",
            &tokens[..kept.min(8)],
            drawn.map(|at| tokens[at])
        );
    }
    println!("on the {} backend", sorter.backend());
    Ok(())
}

/// The K likeliest tokens of each sequence and their logits, the likeliest first.
fn likeliest(
    sorter: &Sorter,
    logits: &[f32],
) -> Result<(Vec<f32>, Vec<u32>), Box<dyn std::error::Error>> {
    #[cfg(feature = "cuda")]
    if let Some(stream) = sorter.stream() {
        // A model has them there already.
        let logits = stream.clone_htod(logits)?;
        let found = sorter.top_k_rows::<f32>(&logits, VOCABULARY, K)?;
        return Ok((stream.clone_dtoh(&found.keys)?, stream.clone_dtoh(&found.positions)?));
    }
    let (mut found, mut tokens) = (vec![0.0; SEQUENCES * K], vec![0; SEQUENCES * K]);
    sorter.top_k_rows_into(logits, &mut found, &mut tokens, VOCABULARY, K)?;
    Ok((found, tokens))
}
