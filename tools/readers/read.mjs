// Prints what other people's libraries read from the files of a run folder, as JSON:
// of latency.hlog, by tag, the count and the largest value; of samples.parquet, by
// cell, the number of rows.
import { readFileSync } from 'node:fs'
import { HistogramLogReader } from 'hdr-histogram-js'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const folder = process.argv[2]
const tags = {}
const log = new HistogramLogReader(readFileSync(`${folder}/latency.hlog`, 'utf8'))
for (let h = log.nextIntervalHistogram(); h; h = log.nextIntervalHistogram()) {
  const seen = tags[h.tag] ?? { count: 0, max: 0 }
  tags[h.tag] = { count: seen.count + h.totalCount, max: Math.max(seen.max, h.maxValue) }
}

const cells = {}
const bytes = readFileSync(`${folder}/samples.parquet`)
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
for (const row of await parquetReadObjects({ file, compressors })) {
  cells[row.cell] = (cells[row.cell] ?? 0) + 1
}
console.log(JSON.stringify({ tags, cells }))
