/// What is read so often that it is read at once where nothing is wrong with it.
package protocol WellFormed {
    /// Nil for whatever is not as it has to be; then a decoder says what that is.
    init?(wellFormed json: JSONValue)
}
