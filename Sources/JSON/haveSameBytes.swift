/// Whether two texts have the same bytes, where `==` also treats canonically equivalent ones as
/// equal. Copies of one text are compared at once, however long it is.
package func haveSameBytes(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let areSame = left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { right in
            left.baseAddress == right.baseAddress
                || haveSameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        }
    }
    return areSame.flatMap { $0 } ?? left.utf8.elementsEqual(right.utf8)
}

/// Compares eight bytes at once. The buffers must have the same length.
private func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool
{
    var index = 0
    while index + 8 <= left.count {
        guard
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        else { return false }
        index += 8
    }
    while index < left.count {
        guard left[index] == right[index] else { return false }
        index += 1
    }
    return true
}
