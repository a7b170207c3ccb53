package import HearthJSON

/// Speeds as a bar chart in SVG: a panel for each test, a bar for each row, and one below it for the peer's.
///
/// Every panel has its own scale from zero. Rows without a speed have no bar.
package struct BenchPlot {
    private struct Bar {
        let label: String
        let value: Double
        let peer: Double?
        let note: String
    }
    private struct Panel {
        let title: String
        var bars: [Bar] = []
    }

    // Pixels.
    private static let (width, left, right, bar, gap, head) = (760, 230, 120, 14, 8, 34)
    private static let (own, other, ink) = ("#b5502f", "#9aa5ad", "#333333")

    package static func svg(_ rows: [JSON]) -> String {
        var panels: [Panel] = []
        for row in rows.map(RowReader.init) {
            guard let value = row.number("median_ts") else { continue }
            let place = panels.firstIndex { $0.title == row.test } ?? panels.count
            if place == panels.count { panels.append(Panel(title: row.test)) }
            let ratio = row.number("ratio").map { " (\u{D7} \(Figures.decimals($0, 2)))" } ?? ""
            panels[place].bars.append(
                Bar(label: label(row, among: rows), value: value, peer: row.number("peer_median_ts"), note: ratio))
        }
        var body = ""
        var y = 10
        let hasPeer = panels.contains { $0.bars.contains { $0.peer != nil } }
        if hasPeer { body += legend(&y) }
        for panel in panels { body += draw(panel, &y) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(y + 10)" \
            viewBox="0 0 \(width) \(y + 10)" font-family="sans-serif" font-size="12" fill="\(ink)">
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(body)</svg>

            """
    }

    private static func draw(_ panel: Panel, _ y: inout Int) -> String {
        let largest = panel.bars.flatMap { [$0.value, $0.peer ?? 0] }.max() ?? 1
        func length(_ value: Double) -> Int { Int((value / max(largest, .leastNormalMagnitude)) * Double(width - left - right)) }
        var text = label(panel.title + ", tokens a second", x: 10, y: y + 20, extra: " font-size=\"14\" font-weight=\"bold\"")
        y += head
        for entry in panel.bars {
            let height = entry.peer == nil ? bar : 2 * bar
            text += label(entry.label, x: left - 8, y: y + height / 2 + 4, extra: " text-anchor=\"end\"")
            text += rectangle(y, length(entry.value), own)
            text += label(
                Figures.decimals(entry.value, 1) + entry.note, x: left + length(entry.value) + 6, y: y + 11)
            if let peer = entry.peer {
                text += rectangle(y + bar, length(peer), other)
                text += label(Figures.decimals(peer, 1), x: left + length(peer) + 6, y: y + bar + 11)
            }
            y += height + gap
        }
        return text
    }

    private static func legend(_ y: inout Int) -> String {
        defer { y += 2 * bar + gap }
        return rectangle(y, 24, own) + label("Hearth", x: left + 30, y: y + 11) + rectangle(y + bar, 24, other)
            + label("peer; \u{D7} is the ratio of the medians", x: left + 30, y: y + bar + 11)
    }

    /// The model, and what differs among the rows besides.
    private static func label(_ row: RowReader, among rows: [JSON]) -> String {
        let parts = ["n_threads", "kernels", "type_k", "n_batch", "quantize", "backend", "peer_flash_attn"].compactMap { name -> String? in
            let cell = { (row: RowReader) in row.int(name).map(String.init) ?? row.text(name) }
            let values = Set(rows.map { cell(RowReader($0)) })
            guard values.count > 1, !cell(row).isEmpty else { return nil }
            return name == "n_threads" ? "\(cell(row)) threads" : name == "peer_flash_attn" ? "fa \(cell(row))" : cell(row)
        }
        return ([row.model] + parts).joined(separator: ", ")
    }

    private static func rectangle(_ y: Int, _ length: Int, _ colour: String) -> String {
        "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(max(1, length))\" height=\"\(bar - 2)\" fill=\"\(colour)\"/>\n"
    }

    private static func label(_ text: String, x: Int, y: Int, extra: String = "") -> String {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return "<text x=\"\(x)\" y=\"\(y)\"\(extra)>\(escaped)</text>\n"
    }
}
