import ChangeRules
import DefinitionModel
import Testing

@Suite struct DecimalLimitTests {
    /// Just outside, at and just inside a bound, with and without its being included.
    @Test(arguments: [
        ("-1.001", true, ["greaterThanOrEqualTo"]), ("-1.001", false, ["greaterThan"]),
        ("-1", true, []), ("-1", false, ["greaterThan"]),
        ("-1.000", true, []), ("-1.000", false, ["greaterThan"]),
        ("-0.999", true, []), ("-0.999", false, []),
        ("0", true, []), ("0", false, []),
        ("2.499", true, []), ("2.499", false, []),
        ("2.5", true, []), ("2.5", false, ["lessThan"]),
        ("2.501", true, ["lessThanOrEqualTo"]), ("2.501", false, ["lessThan"]),
    ])
    func boundIsIncludedOrNot(text: String, isIncluded: Bool, expected: [String]) throws {
        let (lowest, highest) = (try number("-1"), try number("2.5"))
        let type = FieldType.decimal(
            DecimalLimits(
                minValue: lowest, maxValue: highest, includesMinValue: isIncluded,
                includesMaxValue: isIncluded))
        let limits: [String: LimitViolation] = [
            "greaterThan": .greaterThan(lowest),
            "greaterThanOrEqualTo": .greaterThanOrEqualTo(lowest),
            "lessThan": .lessThan(highest), "lessThanOrEqualTo": .lessThanOrEqualTo(highest),
        ]
        let causes = expected.compactMap { limits[$0] }.map {
            Cause(.limit($0), field: "value", place: fieldPlace)
        }
        #expect(violations(of: .decimal(try number(text)), in: type) == [causes])
    }

    /// Each flag is its own bound's, not the other's.
    @Test(arguments: [
        (true, false, "-1", breaking()),
        (true, false, "1", breaking(.lessThan(DecimalNumber(1)))),
        (false, true, "-1", breaking(.greaterThan(DecimalNumber(-1)))),
        (false, true, "1", breaking()),
    ])
    func flagsAreApart(
        includesMin: Bool, includesMax: Bool, text: String, expected: Set<[Cause]>
    ) throws {
        let type = FieldType.decimal(
            DecimalLimits(
                minValue: DecimalNumber(-1), maxValue: DecimalNumber(1),
                includesMinValue: includesMin, includesMaxValue: includesMax))
        #expect(violations(of: .decimal(try number(text)), in: type) == expected)
    }

    @Test(arguments: [
        (0, "7", breaking()), (0, "7.0", breaking()),
        (0, "7.1", breaking(.tooManyFractionDigits(max: 0))),
        (3, "1.23", breaking()), (3, "1.234", breaking()), (3, "1.2340", breaking()),
        (3, "1.2345", breaking(.tooManyFractionDigits(max: 3))),
        (3, "-0.0001", breaking(.tooManyFractionDigits(max: 3))),
    ])
    func zerosAtTheEndAreNoFractionDigits(
        scale: Int, text: String, expected: Set<[Cause]>
    ) throws {
        let type = FieldType.decimal(DecimalLimits(scale: scale))
        #expect(violations(of: .decimal(try number(text)), in: type) == expected)
    }

    @Test(arguments: ["-99999999999999999999999999999999999999", "0.001", most])
    func withoutBoundsEveryNumberIsTaken(text: String) throws {
        let type = FieldType.decimal(DecimalLimits())
        #expect(violations(of: .decimal(try number(text)), in: type) == breaking())
    }

    /// Where binary numbers of 53 or 64 bits would take the two for one.
    @Test(arguments: [
        ("0.3", "0.30000000000000000000000000000000001"),
        ("9007199254740993", "9007199254740993.0000000000000000000001"),
        ("99999999999999999999999999999999999998", most),
    ])
    func boundIsExact(limit: String, beyond: String) throws {
        let highest = try number(limit)
        let type = FieldType.decimal(DecimalLimits(scale: 38, maxValue: highest))
        #expect(violations(of: .decimal(highest), in: type) == breaking())
        #expect(
            violations(of: .decimal(try number(beyond)), in: type)
                == breaking(.lessThanOrEqualTo(highest)))
    }

    @Test func severalLimitsAreNamedTogetherScaleFirst() throws {
        let type = FieldType.decimal(DecimalLimits(scale: 1, maxValue: DecimalNumber(1)))
        #expect(
            violations(of: .decimal(try number("1.25")), in: type)
                == breaking(.tooManyFractionDigits(max: 1), .lessThanOrEqualTo(DecimalNumber(1))))
    }

    private func number(_ text: String) throws -> DecimalNumber {
        try #require(DecimalNumber(text))
    }
}

private let most = "99999999999999999999999999999999999999"
