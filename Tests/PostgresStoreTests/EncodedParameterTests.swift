import Testing

@testable import PostgresStore

@Suite("Encoded parameters")
struct EncodedParameterTests {
    /// Each parameter with the bytes that PostgreSQL's binary format has for it.
    private static let values: [(Parameter, [UInt8]?)] = [
        (.integer(nil), nil),
        (.integer(258), [0, 0, 0, 0, 0, 0, 1, 2]),
        (.integer(-1), [UInt8](repeating: 255, count: 8)),
        (.flag(true), [1]),
        (.flag(false), [0]),
        (.text(nil), nil),
        (.text(""), []),
        (.text("é\0"), [0xC3, 0xA9, 1, 1]),
        (.bytes(nil), nil),
        (.bytes([]), []),
        (.bytes([0, 1]), [0, 1]),
        (.noTexts, nil),
        (.texts([]), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25]),
        (
            .texts(["a\u{1}", ""]),
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 2, 0, 0, 0, 1]
                + [0, 0, 0, 3, 0x61, 1, 2] + [0, 0, 0, 0]
        ),
        (
            .integers([2]),
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1]
                + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 2]
        ),
        (
            .flags([true, false]),
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 2, 0, 0, 0, 1]
                + [0, 0, 0, 1, 1] + [0, 0, 0, 1, 0]
        ),
        (
            .byteStrings([[0]]),
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 1] + [0, 0, 0, 1, 0]
        ),
    ]

    @Test(arguments: values.indices)
    func parameterHasItsBytes(_ index: Int) {
        let (parameter, bytes) = Self.values[index]
        #expect(encoded([parameter]) == [bytes])
    }

    @Test func eachHasItsPlace() {
        #expect(encoded(Self.values.map(\.0)) == Self.values.map(\.1))
    }

    @Test func nothingIsNoParameter() {
        #expect(encoded([]) == [])
    }
}

private func encoded(_ parameters: [Parameter]) -> [[UInt8]?] {
    EncodedParameters(parameters).withValues { values, lengths in
        zip(values, lengths).map { value, length in
            value.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(length))) }
        }
    }
}
