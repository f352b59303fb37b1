// How many of the public tests for HTTP caches have passed, and which have not: node count.mjs SUITE RESULTS
import fs from 'fs'
const [suite, file] = process.argv.slice(2)
const { default: suites } = await import(suite + '/tests/index.mjs')
const { determineTestResult } = await import(suite + '/test-engine/lib/results.mjs')
const results = JSON.parse(fs.readFileSync(file))
const passed = {}
const all = {}
const failed = []
for (const one of suites) {
  for (const test of one.tests) {
    if (test.browser_only) continue
    const kind = test.kind || 'required'
    all[kind] = (all[kind] || 0) + 1
    const result = determineTestResult(suites, test.id, results)
    if (result[2] === '✅' || result[2] === 'Y') {
      passed[kind] = (passed[kind] || 0) + 1
    } else if (kind !== 'check') {
      failed.push(`${kind} ${test.id}: ${results[test.id][1] || result[2]}`)
    }
  }
}
for (const kind of ['required', 'optimal', 'check']) {
  console.log(`${kind}: ${passed[kind] || 0} of ${all[kind]}`)
}
console.log(failed.sort().join('\n'))
