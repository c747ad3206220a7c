package import JSON

extension OutcomeMessage: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.piece("{")
        if let causes {
            writer.piece(#""causes":"#)
            writer.list(causes) { $1.write(to: &$0) }
            writer.piece(",")
        }
        writer.piece(#""guid":"#)
        writer.string(guid)
        writer.piece(#","id":"#)
        writer.string(id)
        writer.piece(#","model":"#)
        writer.string(model)
        writer.piece(#","outcome":"#)
        writer.string(outcome.rawValue)
        if let overwrote {
            writer.piece(#","overwrote":"#)
            writer.integer(overwrote)
        }
        if let revision {
            writer.piece(#","revision":"#)
            writer.integer(revision)
        }
        writer.piece("}")
    }
}

extension CauseMessage {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.piece("{")
        if let argument {
            writer.piece(#""argument":"#)
            writer.string(argument)
            writer.piece(",")
        }
        writer.piece(#""code":"#)
        writer.string(code)
        if let column {
            writer.piece(#","column":"#)
            writer.integer(Int64(column))
        }
        if let field {
            writer.piece(#","field":"#)
            writer.string(field)
        }
        if let line {
            writer.piece(#","line":"#)
            writer.integer(Int64(line))
        }
        writer.piece(#","message":"#)
        writer.string(message)
        writer.piece("}")
    }
}

extension DroppedMessage {
    package func write(to writer: inout JSONWriter) {
        writer.piece(#"{"guid":"#)
        writer.string(guid)
        writer.piece(#","model":"#)
        writer.string(model)
        writer.piece("}")
    }
}
