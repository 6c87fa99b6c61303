// The people who use Tidepool, oldest first: names in many scripts, and unusual records that clients must handle.
// Telephone numbers are of the ranges that are reserved for fiction.
import type { Subscriber } from "../../domain/state.js";
import { CATALOGUE_PROCESS_ID, toObjectId } from "../object-id.js";

/** Members that are empty or missing are absent in the record. */
type Person = [
  joinedAt: string,
  subscriberId: string,
  firstName?: string,
  lastName?: string,
  email?: string,
  phone?: string,
];

const PEOPLE: readonly Person[] = [
  ["2024-09-11T13:49:53Z", "ines-moreau", "Inés", "Moreau", "ines.moreau@example.com", "+447700900142"],
  ["2024-09-11T13:58:20Z", "tomas-novak", "Tomáš", "Novák", "tomas.novak@example.com", "+447700900307"],
  ["2024-09-12T08:02:11Z", "eleni-papadaki", "Ελένη", "Παπαδάκη", "eleni@example.org"],
  ["2024-09-12T23:40:36Z", "haruka-sato", "遥", "佐藤", "haruka.sato@example.com", "+12025550117"],
  ["2024-09-16T06:21:05Z", "layla-haddad", "ليلى", "حداد", "layla.haddad@example.org"],
  // Found by a search for "moreau", as are Inés and Céline.
  ["2024-09-18T10:15:49Z", "lucas-moreau", "Lucas", "Moreau", "lucas.moreau@example.com", "+12125550164"],
  // A plus in the address, which a query must encode.
  ["2024-09-24T15:33:02Z", "amara-okafor", "Amara", "Okafor", "amara+tidepool@example.com", "+447700900518"],
  // The address is the subscriberId too.
  ["2024-10-01T07:45:58Z", "bjorn.aslund@example.com", "Björn", "Åslund", "bjorn.aslund@example.com"],
  ["2024-10-03T12:04:27Z", "celine-moreau-petit", "Céline", "Moreau-Petit", "celine.moreau-petit@example.org"],
  ["2024-10-09T09:27:40Z", "oliwia-zielinska", "Oliwia", "Zielińska", "oliwia.zielinska@example.com", "+447700900655"],
  // A slash and a space in the subscriberId, which a path must encode.
  ["2024-10-15T18:00:13Z", "crew/night shift", "Night", "Shift", "night.shift@example.com", "+447700900999"],
  // Only a subscriberId.
  ["2024-10-22T05:11:31Z", "kiosk-0042"],
  // No e-mail address.
  ["2024-10-28T16:52:09Z", "ravi-iyer", "Ravi", "Iyer", "", "+14155550128"],
  ["2024-11-04T03:18:44Z", "nguyen-minh-anh", "Minh Anh", "Nguyễn", "minhanh.nguyen@example.com"],
  ["2024-11-11T11:36:55Z", "joao-araujo", "João", "Araújo", "joao.araujo@example.com", "+13035550171"],
  ["2024-11-19T14:09:22Z", "siobhan-obrien", "Siobhán", "O’Brien", "siobhan.obrien@example.org"],
  ["2024-11-27T08:43:17Z", "dmitri-volkov", "Дмитрий", "Волков", "d.volkov@example.com"],
  ["2024-12-05T19:25:01Z", "maya-cohen", "מאיה", "כהן", "maya.cohen@example.com", "+16175550103"],
  ["2024-12-12T02:57:38Z", "li-wei", "伟", "李", "li.wei@example.org"],
  ["2025-01-07T00:30:50Z", "kim-seoyeon", "서연", "김", "seoyeon.kim@example.com"],
  ["2025-01-16T13:12:06Z", "zeynep-yildiz", "Zeynep", "Yıldız", "zeynep.yildiz@example.com"],
  // Capitals in the address: `emails` tells them apart, `search` does not.
  ["2025-01-29T10:48:33Z", "gustav-lindqvist", "Gustav", "Lindqvist", "Gustav.Lindqvist@example.com"],
  // No last name.
  ["2025-02-06T17:05:14Z", "Sukarno", "Sukarno", "", "sukarno@example.org", "+447700900088"],
  // Digits only, but a string.
  ["2025-02-18T09:39:47Z", "10482", "Priya", "Raman", "priya.raman@example.com"],
  ["2025-03-05T12:20:29Z", "emma-hughes", "Emma", "Hughes", "emma.hughes@example.org", "+447700900211"],
];

const FORMER_PEOPLE: readonly Person[] = [
  ["2024-10-17T08:14:52Z", "peter-lang", "Peter", "Lang", "peter.lang@example.com"],
  ["2025-05-20T06:33:18Z", "kiosk-0007"],
];

export const SUBSCRIBERS: readonly Subscriber[] = PEOPLE.map(toSubscriber);

/** Deleted: only notifications still refer to them. */
export const DELETED_SUBSCRIBERS: readonly Subscriber[] = FORMER_PEOPLE.map((person, index) =>
  toSubscriber(person, PEOPLE.length + index),
);

function toSubscriber([joinedAt, subscriberId, firstName, lastName, email, phone]: Person, index: number): Subscriber {
  return {
    _id: toObjectId(Date.parse(joinedAt), CATALOGUE_PROCESS_ID, 0x708201 + index),
    subscriberId,
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    ...(email && { email }),
    ...(phone && { phone }),
  };
}
