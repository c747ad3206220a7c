import DefinitionReports

/// A looser and a tighter limit of each kind.
let limitCases = [
    limit("maxLength\">8", "maxLength\">9", "'maxLength' of 'code' of 'parcel' is 9, and was 8"),
    limit(
        "maxLength\">8", "maxLength\">7", "'maxLength' of 'code' of 'parcel' is 7, and was 8",
        isTighter: true),
    limit(
        #" w:pattern="[A-Z]{2}\d{6}""#, "",
        #"'pattern' of 'code' of 'parcel' is gone, and was '[A-Z]{2}\d{6}'"#),
    limit(
        #"[A-Z]{2}\d{6}"#, #"[A-Z]{2}\d*"#,
        #"'pattern' of 'code' of 'parcel' is '[A-Z]{2}\d*', and was '[A-Z]{2}\d{6}'"#,
        isTighter: true),
    limit(
        #" w:minLength="3""#, "", "'minLength' of 'state' of 'parcel' is gone, and was 3"),
    limit(
        #"w:minLength="3""#, #"w:minLength="4""#,
        "'minLength' of 'state' of 'parcel' is 4, and was 3", isTighter: true),
    limit(
        "packed|sent|delivered", "packed|sent|delivered|lost",
        "'allowedValues' of 'state' of 'parcel' has 'lost' now"),
    DifferenceCase(
        ("packed|sent|delivered", "packed|delivered|lost|back"),
        expecting: .line(
            .limitTightened, "'allowedValues' of 'state' of 'parcel' lacks 'sent' now",
            data: .breaking, clients: .breaking),
        .line(
            .limitLoosened, "'allowedValues' of 'state' of 'parcel' has 'lost' and 'back' now")),
    limit(
        #" w:allowedValues="1|2|5""#, "",
        "'allowedValues' of 'pieces' of 'parcel' is gone, and was '1', '2' and '5'"),
    limit(
        #"<field name="plate" type="TEXT">"#,
        #"<field name="plate" type="TEXT" w:allowedValues="A1">"#,
        "'allowedValues' of 'plate' of 'van' is 'A1', and was not there", isTighter: true),
    limit(
        #"<field name="plate" type="TEXT">"#,
        #"<field name="plate" type="TEXT" w:format="base64"><options>"#
            + #"<option name="maxLength">255</option></options>"#,
        "'format' of 'plate' of 'van' is base64, and was not there", isTighter: true),
    limit(
        "minValue\">1", "minValue\">0", "'minValue' of 'pieces' of 'parcel' is 0, and was 1"),
    limit(
        "maxValue\">9", "maxValue\">5", "'maxValue' of 'pieces' of 'parcel' is 5, and was 9",
        isTighter: true),
    limit("scale\">2", "scale\">3", "'scale' of 'weight' of 'parcel' is 3, and was 2"),
    limit(
        "scale\">2", "scale\">1", "'scale' of 'weight' of 'parcel' is 1, and was 2",
        isTighter: true),
    limit(
        "includeMinValue\">false", "includeMinValue\">true",
        "'includeMinValue' of 'weight' of 'parcel' is true, and was false"),
    limit(
        "includeMaxValue\">true", "includeMaxValue\">false",
        "'includeMaxValue' of 'weight' of 'parcel' is false, and was true", isTighter: true),
    limit(
        "            <option name=\"maxValue\">30</option>\n", "",
        "'maxValue' of 'weight' of 'parcel' is gone, and was 30"),
    limit(
        "2026-01-01", "2026-01-01T00:00:01Z",
        "'minDate' of 'due' of 'parcel' is 2026-01-01T00:00:01Z, and was 2026-01-01T00:00:00Z",
        isTighter: true),
    limit(
        #" w:maxDate="2029-12-31""#, "",
        "'maxDate' of 'due' of 'parcel' is gone, and was 2029-12-31T23:59:59.999Z"),
]

private func limit(
    _ from: String, _ to: String, _ message: String, isTighter: Bool = false
) -> DifferenceCase {
    let impact: Impact = isTighter ? .breaking : .safe
    return DifferenceCase(
        (from, to),
        expecting: .line(
            isTighter ? .limitTightened : .limitLoosened, message, data: impact, clients: impact))
}
