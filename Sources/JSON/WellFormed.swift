/// A message that is read so often that a well-formed one is read without a decoder.
package protocol WellFormed {
    /// Nil for whatever is not as it has to be; then a decoder says what that is.
    init?(wellFormed json: JSONValue)
}
