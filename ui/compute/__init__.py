"""The pages on compute: what is typed, figures that open into their derivation, and charts."""
