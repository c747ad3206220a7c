/// A file in an archive, as the archive's directory describes it.
package struct ArchiveEntry: Hashable, Sendable {
    /// Neither empty, `.` nor `..`, and without path separators and control characters.
    package let name: String
    /// Bytes, unpacked. Reading gives exactly so many, or an error.
    package let size: Int64
    let index: UInt64
    let packedBytes: Int64
}
