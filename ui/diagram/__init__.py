"""The parts diagram: a model drawn to scale, one rectangle a matrix, and the component that makes it clickable."""
