import Waggle

// Nothing is here: what is tried is that the definition beside it stops the build.
