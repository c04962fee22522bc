"""The library: the functions behind `import facedown`. Each takes names, classes or objects, and raises the
errors of the core."""
