"""The library: the functions behind `import facedown`. Each takes names, classes or objects, and says in the
errors of the core what is wrong with them."""
