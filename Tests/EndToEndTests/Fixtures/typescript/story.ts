import { ConflictsEntity } from "./ConflictsEntity.js";
import { AnyRecord, Client, ServerError } from "./waggle.js";

// Two users of `Definitions/Conflicts`, with the generated client. Each line of the output is a
// step, which the test compares.

declare const process: { argv: string[] };
const [server, passwordOfA, passwordOfB] = process.argv.slice(2) as [string, string, string];

// Types hold what the definition says.
// @ts-expect-error: the title is required
ConflictsEntity.create({ score: 3 });
// @ts-expect-error: and cannot be null
ConflictsEntity.create({ title: null });
// @ts-expect-error: a score is a number
ConflictsEntity.create({ title: "x", score: "3" });
// @ts-expect-error: no field has this name
ConflictsEntity.create({ title: "x", sore: 3 });

function titleOfAny(film: ConflictsEntity): string {
    // @ts-expect-error: a deleted record has no fields
    return film.fields.title;
}

function authorLength(film: ConflictsEntity): number | undefined {
    // @ts-expect-error: a conflict with a related record has no other author
    return film.conflicts?.[0]?.theirs.login.length;
}

function films(records: AnyRecord[]): ConflictsEntity[] {
    return records.filter(ConflictsEntity.includes);
}

function described(film: ConflictsEntity | undefined): string {
    if (!film) return "nothing";
    if (!film.fields) return `deleted, revision ${film.revision}`;
    const sides = (film.conflicts ?? []).map(
        ({ base, mine, theirs, parallel }) =>
            `, was ${base.fields.score}, ${mine.login} ${mine.fields.score}, `
            + `${theirs.login ?? "nobody"} ${theirs.fields.score}`
            + (parallel ? ", parallel" : ""));
    return `${film.fields.title} ${film.fields.score} of ${film.owner}, `
        + `revision ${film.revision}${sides.join("")}`;
}

async function signedIn(login: string, password: string): Promise<Client> {
    const client = new Client(server, "test");
    await client.signIn(login, password, { category: "mobile", identifier: `node-${login}` });
    return client;
}

async function main(): Promise<void> {
    const stranger = new Client(server, "test");
    try {
        await stranger.signIn("a", "not this", { category: "mobile", identifier: "node-x" });
    } catch (error) {
        if (error instanceof ServerError) console.log(`${error.status} ${error.code}`);
    }
    const a = await signedIn("a", passwordOfA);
    const b = await signedIn("b", passwordOfB);

    const created = await a.sync([ConflictsEntity.create({ title: "Stalker" })]);
    console.log(created.outcomes[0]?.outcome, described(films(created.records)[0]));
    const seen = films((await b.sync()).records)[0];
    if (!seen) throw new Error("b does not see the film");

    const first = await a.sync([ConflictsEntity.update(seen, { score: 4 })]);
    console.log(first.outcomes[0]?.outcome, described(films(first.records)[0]));
    const update = ConflictsEntity.update(seen, { score: 5 });
    const second = await b.sync([update]);
    console.log(second.outcomes[0]?.outcome, described(films(second.records)[0]));
    const again = await b.sync([update]);
    console.log(again.outcomes[0]?.outcome, again.records.length);
    const third = await b.sync([ConflictsEntity.update(seen, { score: 2 })]);
    console.log(third.outcomes[0]?.outcome, described(films(third.records)[0]));

    const conflicted = films((await a.sync()).records)[0];
    if (!conflicted) throw new Error("a does not see the conflict");
    const resolved = await a.sync([ConflictsEntity.resolve(conflicted, { score: 5 })]);
    console.log(resolved.outcomes[0]?.outcome, described(films(resolved.records)[0]));

    const found = await b.find(ConflictsEntity, { filter: { ge: ["score", 5] }, sort: ["title"] });
    console.log(found.records.length, found.more, found.records[0]?.fields.title);
    const film = found.records[0];
    if (!film) throw new Error("b does not find the film");
    const refused = await b.sync([ConflictsEntity.update(film, { score: 6 })]);
    const cause = refused.outcomes[0]?.causes?.[0];
    console.log(refused.outcomes[0]?.outcome, cause?.field, cause?.code, cause?.argument);
    const removed = await b.sync([ConflictsEntity.remove(film)]);
    console.log(removed.outcomes[0]?.outcome, described(films(removed.records)[0]));

    // The data of the server was restored.
    (b as any).cursor = "of other data";
    const kept = ConflictsEntity.create({ title: "Solaris" });
    const restored = await b.sync([kept]);
    console.log(restored.outcomes[0]?.outcome, restored.resync, films(restored.records).length > 0);
    const repeated = await b.sync([kept]);
    console.log(repeated.resync, repeated.records.length);
    // The same user goes on, and another one starts over.
    for (const [login, password] of [["b", passwordOfB], ["a", passwordOfA]] as const) {
        await b.signIn(login, password, { category: "mobile", identifier: "node-b" });
        const synced = await b.sync();
        console.log(login, synced.resync, synced.records.length > 0);
    }
}

main().catch((error) => {
    console.log(`failed: ${error}`);
});
