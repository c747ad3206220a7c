import ChangeRules
import DefinitionModel
import Testing

@Suite struct TextLimitTests {
    @Test(arguments: [
        (0, "", breaking()),
        (0, "a", breaking(.tooLong(max: 0))),
        (3, "ab", breaking()),
        (3, "abc", breaking()),
        (3, "abcd", breaking(.tooLong(max: 3))),
        (255, String(repeating: "x", count: 255), breaking()),
        (255, String(repeating: "x", count: 256), breaking(.tooLong(max: 255))),
    ])
    func textHasAtMostItsLength(maxLength: Int, text: String, expected: Set<[Cause]>) {
        let type = FieldType.text(TextLimits(maxLength: maxLength))
        #expect(violations(of: .text(text), in: type) == expected)
    }

    /// As Java and iOS count: neither bytes, nor scalars, nor what people take for a character.
    @Test(arguments: [
        ("é", 1), ("e\u{301}", 2), ("€", 1), ("🐝", 2), ("🇵🇱", 4), ("👩‍👧", 5), ("\r\n", 2),
        ("\u{FEFF}", 1), ("\u{10FFFF}", 2),
    ])
    func lengthIsCountedInUTF16(text: String, units: Int) {
        let fitting = FieldType.text(TextLimits(maxLength: units))
        let tight = FieldType.text(TextLimits(maxLength: units - 1))
        #expect(violations(of: .text(text), in: fitting) == breaking())
        #expect(violations(of: .text(text), in: tight) == breaking(.tooLong(max: units - 1)))
    }

    @Test(arguments: [
        ("\u{0}", breaking(.illegalCharacter)),
        ("a\u{0}", breaking(.illegalCharacter)),
        ("\u{0}\u{301}", breaking(.illegalCharacter)),
        ("\u{0}abc", breaking(.tooLong(max: 3), .illegalCharacter)),
        ("\u{1}\n\t", breaking()),
        ("\\0", breaking()),
    ])
    func textHoldsNoNUL(text: String, expected: Set<[Cause]>) {
        #expect(violations(of: .text(text), in: .text(TextLimits(maxLength: 3))) == expected)
    }

    @Test func filesNameHoldsNoNUL() {
        let names = ["photo.jpg": breaking(), "photo\u{0}.jpg": breaking(.illegalCharacter)]
        for (name, expected) in names {
            let file = FieldValue.file(FileValue(guid: guid, filename: name))
            #expect(violations(of: file, in: .file) == expected)
        }
    }
}

@Suite struct IntegerLimitTests {
    @Test(
        arguments: [
            (-11, breaking(.greaterThanOrEqualTo(DecimalNumber(-10)))),
            (-10, breaking()), (-9, breaking()), (0, breaking()), (9, breaking()), (10, breaking()),
            (11, breaking(.lessThanOrEqualTo(DecimalNumber(10)))),
            (.min, breaking(.greaterThanOrEqualTo(DecimalNumber(-10)))),
            (.max, breaking(.lessThanOrEqualTo(DecimalNumber(10)))),
        ] as [(Int64, Set<[Cause]>)])
    func bothBoundsAreIncluded(number: Int64, expected: Set<[Cause]>) {
        let type = FieldType.integer(IntegerLimits(minValue: -10, maxValue: 10))
        #expect(violations(of: .integer(number), in: type) == expected)
    }

    @Test(
        arguments: [
            (-2_147_483_649, breaking(.greaterThanOrEqualTo(DecimalNumber(-2_147_483_648)))),
            (-2_147_483_648, breaking()), (2_147_483_647, breaking()),
            (2_147_483_648, breaking(.lessThanOrEqualTo(DecimalNumber(2_147_483_647)))),
        ] as [(Int64, Set<[Cause]>)])
    func withoutOptionsA32BitNumberIsTaken(number: Int64, expected: Set<[Cause]>) {
        #expect(violations(of: .integer(number), in: .integer(IntegerLimits())) == expected)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func widestBoundsTakeEveryNumber(number: Int64) {
        let type = FieldType.integer(IntegerLimits(minValue: .min, maxValue: .max))
        #expect(violations(of: .integer(number), in: type) == breaking())
    }

    @Test(
        arguments: [
            (6, breaking(.greaterThanOrEqualTo(DecimalNumber(7)))), (7, breaking()),
            (8, breaking(.lessThanOrEqualTo(DecimalNumber(7)))),
        ] as [(Int64, Set<[Cause]>)])
    func singleLegalNumberIsAccepted(number: Int64, expected: Set<[Cause]>) {
        let type = FieldType.integer(IntegerLimits(minValue: 7, maxValue: 7))
        #expect(violations(of: .integer(number), in: type) == expected)
    }
}

@Suite struct OtherTypeTests {
    /// In bytes, as file systems count; and it must be the name of one file in one folder.
    @Test(arguments: [
        (String(repeating: "x", count: 256), breaking(.tooLong(max: 255))),
        (String(repeating: "é", count: 128), breaking(.tooLong(max: 255))),
        ("../etc/passwd", breaking(.illegalCharacter)), ("a\0", breaking(.illegalCharacter)),
        ("a\nb", breaking(.illegalCharacter)), ("Foto 1 (é).jpg", breaking()),
    ])
    func fileHasNameThatFileSystemsTake(filename: String, expected: Set<[Cause]>) {
        let file = FieldValue.file(FileValue(guid: guid, filename: filename))
        #expect(violations(of: file, in: .file) == expected)
    }

    @Test(arguments: [
        (FieldType.boolean, FieldValue.boolean(true)), (.boolean, .boolean(false)),
        (.date(DateLimits()), .date(milliseconds: .min)),
        (.date(DateLimits()), .date(milliseconds: 0)),
        (.date(DateLimits()), .date(milliseconds: .max)),
        (.belongsTo(Relation(model: "Note")), .reference(guid: guid)),
        (.file, .file(FileValue(guid: guid, filename: String(repeating: "x", count: 255)))),
    ])
    func otherTypesHaveNoTextLimits(type: FieldType, value: FieldValue) {
        #expect(violations(of: value, in: type) == breaking())
    }
}

let guid = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
