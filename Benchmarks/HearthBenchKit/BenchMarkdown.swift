import Foundation
package import HearthJSON

/// Rows as a Markdown table with llama-bench's columns, and ours behind them where a row has something to say there.
package enum BenchMarkdown {
    private struct Column: Sendable {
        let title: String
        let cell: @Sendable (RowReader) -> String
        /// Left out where no row has a cell.
        var isOptional = true
    }

    package static func text(_ rows: [JSON]) -> String {
        let readers = rows.map(RowReader.init)
        let columns = self.columns(readers)
        var cells = [columns.map(\.title)]
        cells += readers.map { row in columns.map { $0.cell(row) } }
        return table(cells) + notes(readers)
    }

    static func table(_ cells: [[String]]) -> String {
        guard let head = cells.first else { return "" }
        let widths = head.indices.map { column in max(3, cells.map { $0[column].count }.max() ?? 0) }
        func line(_ cells: [String]) -> String {
            "| "
                + zip(cells, widths).map { cell, width in
                    // A bar would end the cell.
                    let cell = cell.replacing("|", with: "\\|")
                    return cell + String(repeating: " ", count: max(0, width - cell.count))
                }.joined(separator: " | ") + " |\n"
        }
        let rule = "| " + widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ") + " |\n"
        return line(head) + rule + cells.dropFirst().map(line).joined()
    }

    private static func columns(_ rows: [RowReader]) -> [Column] {
        let hasPeer = rows.contains { $0.row["peer"] != nil }
        let always: [Column] =
            hasPeer
            ? [Column(title: "model", cell: { $0.model }, isOptional: false)]
            : [
                Column(title: "model", cell: { $0.text("model_type") }, isOptional: false),
                Column(title: "size", cell: { $0.int("model_size").map(Figures.mebibytes) ?? "" }),
                Column(
                    title: "params",
                    cell: { $0.number("model_n_params").map { "\(Figures.decimals($0 / 1e6, 2)) M" } ?? "" }),
            ]
        let settings = [
            Column(title: "backend", cell: { $0.text("backend") }, isOptional: false),
            Column(title: "threads", cell: { $0.int("n_threads").map(String.init) ?? "" }, isOptional: false),
        ]
        // Told where they differ from row to row, or are not the usual.
        let differing = [("kernels", nil), ("type_k", "f16"), ("n_batch", nil), ("quantize", "")].compactMap {
            (name, usual: String?) -> Column? in
            let cell = { @Sendable (row: RowReader) in row.int(name).map(String.init) ?? row.text(name) }
            let values = Set(rows.map(cell))
            guard values.count > 1 || usual.map({ values != [$0] }) ?? false else { return nil }
            return Column(title: name == "type_k" ? "kv" : name, cell: cell)
        }
        return
            (always + settings + differing + [Column(title: "test", cell: { $0.test }, isOptional: false)]
            + (hasPeer ? peerColumns : figureColumns) + verdictColumns)
            .filter { column in !column.isOptional || rows.contains { !column.cell($0).isEmpty } }
    }

    private static let figureColumns = [
        Column(title: "t/s", cell: speed, isOptional: false),
        Column(title: "ms", cell: time),
        Column(title: "of bandwidth", cell: share),
        Column(title: "of its loop", cell: loopShare),
        Column(title: "peak", cell: { $0.int("peak_bytes").map(Figures.mebibytes) ?? "" }),
        Column(title: "note", cell: note),
    ]

    private static let peerColumns = [
        Column(title: "fa", cell: { $0.text("peer_flash_attn") }),
        Column(title: "ours t/s", cell: { $0.number("median_ts").map { Figures.decimals($0, 1) } ?? "not measured" }),
        Column(
            title: "peer t/s",
            cell: { row in
                // Beside an earlier run's rows with a peer there may be some without.
                guard row.row["peer"] != nil else { return "" }
                return row.number("peer_median_ts").map { Figures.decimals($0, 1) }
                    ?? "not measured: the peer \(row.text("peer_error"))"
            }),
        Column(title: "ratio", cell: { $0.number("ratio").map { Figures.decimals($0, 2) } ?? "" }),
        Column(
            title: "rounds",
            cell: { row in
                guard let low = row.number("ratio_low"), let high = row.number("ratio_high") else { return "" }
                return "\(Figures.decimals(low, 2)) to \(Figures.decimals(high, 2))"
            }),
        Column(title: "of bandwidth", cell: share),
        Column(title: "of its loop", cell: loopShare),
    ]

    private static let verdictColumns = [
        Column(title: "before", cell: { $0.number("old_median_ns").map { "\(Figures.milliseconds($0)) ms" } ?? "" }),
        Column(title: "speed", cell: { $0.number("speedup").map { "x \(Figures.decimals($0, 3))" } ?? "" }),
        Column(title: "p", cell: { $0.number("p_value").map { Figures.decimals($0, 3) } ?? "" }),
        Column(title: "verdict", cell: { $0.text("verdict") }),
    ]

    @Sendable private static func speed(_ row: RowReader) -> String {
        if row.text("measures") == "time" { return "" }
        guard let mean = row.number("avg_ts"), let deviation = row.number("stddev_ts") else { return "not measured" }
        return "\(Figures.decimals(mean, 2)) ± \(Figures.decimals(deviation, 2))"
    }

    /// The median time: of the whole run, or of a token where they are made one by one.
    @Sendable private static func time(_ row: RowReader) -> String {
        guard let median = row.number("median_ns") else { return "" }
        guard row.int("n_prompt") == 0, let tokens = row.int("n_timed"), tokens > 1 else {
            return Figures.milliseconds(median)
        }
        return "\(Figures.milliseconds(median / Double(tokens))) a token"
    }

    @Sendable private static func share(_ row: RowReader) -> String { row.number("bandwidth_share").map(Figures.percent) ?? "" }

    @Sendable private static func loopShare(_ row: RowReader) -> String { row.number("loop_share").map(Figures.percent) ?? "" }

    @Sendable private static func note(_ row: RowReader) -> String {
        if let gain = row.number("prefix_gain") { return "\(Figures.decimals(gain, 2)) times sooner than without" }
        if let share = row.number("step_share") { return "\(Figures.percent(share)) of a step" }
        return ""
    }

    /// What holds for several rows: each once.
    private static func notes(_ rows: [RowReader]) -> String {
        var lines: [String] = []
        func add(_ line: String) { if !lines.contains(line) { lines.append(line) } }
        for row in rows {
            guard let load = row.number("load_ns"), let size = row.number("model_size"), load > 0 else { continue }
            let rate = size / load * 1e9
            let peak = row.int("load_peak_bytes").map { ", peak \(Figures.mebibytes($0))" } ?? ""
            // Above it the share says only that the load found memory at hand.
            let fresh = row.number("fresh_memory").flatMap { $0 < rate ? nil : $0 }.map {
                "; \(Figures.percent(rate / $0)) of the \(Figures.gigabytes($0)) at which fresh memory came"
            }
            add(
                "\(row.model), \(row.text("kernels")), \(row.int("n_threads") ?? 0) threads: loaded in "
                    + "\(Figures.milliseconds(load)) ms (\(Figures.gigabytes(rate)), page cache warm\(fresh ?? ""))\(peak)")
        }
        for row in rows {
            guard let one = row.number("bandwidth_one_thread"), let all = row.number("bandwidth") else { continue }
            let own = row.int("n_threads") ?? 1
            add("read bandwidth: \(Figures.gigabytes(one)) on 1 thread" + (own > 1 ? ", \(Figures.gigabytes(all)) on \(own)" : ""))
        }
        // Rates only rise from row to row, since the fastest pass counts: of a model's loops the last ones are told.
        var loopLines: [(of: String, line: String)] = []
        for row in rows {
            guard let rates = row.row["loop_rates"]?.objectValue, !rates.isEmpty else { continue }
            let loops = rates.map { "\($0.key) \(Figures.decimals(($0.value.doubleValue ?? 0) / 1e9, 1)) Gop/s" }
            let threads = row.int("n_threads") ?? 1
            let title = "inner loops of \(row.model) on \(threads) thread\(threads == 1 ? "" : "s"): "
            let of = title + rates.map(\.key).sorted().joined(separator: ",")
            loopLines.removeAll { $0.of == of }
            loopLines.append((of, title + loops.joined(separator: ", ")))
        }
        for (_, line) in loopLines { add(line) }
        for row in rows {
            let peer = row.row["peer"] == nil ? "" : "; peer \(row.text("peer")) build \(row.text("peer_build_commit"))"
            add("build: \(row.text("build_commit")), \(row.text("cpu_info")), kernels \(row.text("kernels"))\(peer)")
        }
        if rows.contains(where: { $0.row["prompt_cache"] != nil }) {
            add("each run reads new tokens; its cache is empty but for the depth or prefix that the row names")
        }
        return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n"
    }
}
