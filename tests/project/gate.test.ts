import { expect, test } from 'vitest'
import { createGate } from '../../main/project/gate.ts'

test('lets in what fits, in the order of asking', async () => {
  const gate = createGate(10)
  const inside: string[] = []
  const enter = (name: string, weight: number) =>
    gate.enter(weight).then((leave) => {
      inside.push(name)
      return () => {
        inside.splice(inside.indexOf(name), 1)
        leave()
      }
    })
  const [six, four, three, one] = ['six', 'four', 'three', 'one'].map((name, i) => enter(name, [6, 4, 3, 1][i]))
  const leaveSix = await six
  await four
  // One would fit, but it came after three.
  expect(inside).toEqual(['six', 'four'])
  leaveSix()
  await Promise.all([three, one])
  expect(inside).toEqual(['four', 'three', 'one'])
})

test('lets in alone what is heavier than all of the room', async () => {
  const gate = createGate(10)
  const order: string[] = []
  const light = await gate.enter(1)
  const heavy = gate.enter(50).then((leave) => (order.push('heavy'), leave))
  const last = gate.enter(1).then(() => order.push('last'))
  await Promise.resolve()
  expect(order).toEqual([])
  light()
  const leave = await heavy
  expect(order).toEqual(['heavy'])
  leave()
  await last
  expect(order).toEqual(['heavy', 'last'])
})
