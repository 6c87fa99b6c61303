// The subscribers of a seed: the catalogue's people first, then generated ones.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { SUBSCRIBERS } from "./catalogue/subscribers.js";
import { SUBSCRIBER_PROCESS_ID, toObjectId } from "./object-id.js";

const FIRST_NAMES = words(`
  Aïcha André Anna Benedikt Chloé Daniel Elif Émile Fernanda Grace Håkan Hélène Ibrahim Ivana Jakub José
  Kwame Lucía Marek Mónica Noor Olga Renée Samuel Štěpán Sunita Thérèse Uma Víctor Wanjiru Yusuf Zoë
`);
const LAST_NAMES = words(`
  Abebe Almeida Bakker Çelik Castro Dvořák Eriksson Fischer García Håland Ito Jansen Kariuki Kovács Lefèvre
  Martínez Müller Nair Osei Pérez Popescu Quinn Rossi Silva Šimić Suzuki Tran Usman Virtanen Weiß Yamada
  Žukauskas
`);
const AREA_CODES = ["202", "212", "303", "312", "415", "503", "617", "702"] as const;

const FIRST_JOINED = Date.parse("2025-03-10T09:00:00Z");

/** `count` subscribers, oldest first; the last joined before `until` (milliseconds). */
export function generateSubscribers(count: number, until: number, random: Random): Subscriber[] {
  const people = SUBSCRIBERS.slice(0, count);
  const generatedCount = count - people.length;
  for (let index = 0; index < generatedCount; index++) {
    const joinedAt = FIRST_JOINED + ((until - FIRST_JOINED) * index) / generatedCount;
    people.push(toSubscriber(index, joinedAt, random));
  }
  return people;
}

function toSubscriber(index: number, joinedAt: number, random: Random): Subscriber {
  const firstName = random.pick(FIRST_NAMES);
  const lastName = random.pick(LAST_NAMES);
  // The number keeps ids and addresses unique.
  const number = SUBSCRIBERS.length + index + 1;
  return {
    _id: toObjectId(joinedAt, SUBSCRIBER_PROCESS_ID, index),
    subscriberId: `${toAscii(firstName)}-${toAscii(lastName)}-${number}`,
    firstName,
    lastName,
    ...(random.chance(0.95) && { email: `${toAscii(firstName)}.${toAscii(lastName)}.${number}@example.com` }),
    // 555-0100 to 555-0199 of every area code is reserved for fiction.
    ...(random.chance(0.6) && {
      phone: `+1${random.pick(AREA_CODES)}55501${String(random.between(0, 99)).padStart(2, "0")}`,
    }),
  };
}

function toAscii(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").replace("ß", "ss").toLowerCase();
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
