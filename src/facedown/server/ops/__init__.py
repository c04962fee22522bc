"""Operations: rate limits, logs, metrics, the run file."""
