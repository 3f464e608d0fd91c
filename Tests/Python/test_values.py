"""Values are read from JSON completely, or refused."""

import copy
import dataclasses
import json
import pickle
import random
import subprocess
import unittest

import pathmonitor
from pathmonitor._record import parse
from support import PATH, PROGRAMS


def real_path():
    words = [PROGRAMS / "pathctl", "watch", "--count", "1", "--json", "--direct"]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


def read(**members):
    return pathmonitor.NetworkPath.read({**PATH, **members})


class Values(unittest.TestCase):
    def test_every_member_of_a_real_path_is_a_field(self):
        path = pathmonitor.NetworkPath.read(real_path())
        self.assertEqual(path.status, "satisfied")
        self.assertEqual(path.interface.addresses, ("192.0.2.2/24",))
        values = [path, path.cost, path.validation, *path.interfaces, *path.cost.evidence]
        self.assertEqual([value.extra for value in values], [{} for _ in values])

    def test_unknown_members_are_kept(self):
        path = read(weather={"sky": "blue"}, interfaces=[{"name": "eth0", "colour": 7}])
        self.assertEqual((path.extra, path.interfaces[0].extra), ({"weather": {"sky": "blue"}}, {"colour": 7}))

    def test_missing_and_null_members_have_the_meaning_of_absence(self):
        for path in [read(), read(cost=None, isExpensive=None, gateways=None, validation=None)]:
            self.assertEqual((path.cost, path.is_expensive, path.gateways, path.sequence), (None, False, (), 0))
            self.assertEqual(path.validation.state, "unknown")

    def test_a_path_without_status_or_knowledge_is_refused(self):
        for key in ["status", "knowledge"]:
            found = {name: value for name, value in PATH.items() if name != key}
            with self.assertRaisesRegex(ValueError, f"'{key}' is missing"):
                pathmonitor.NetworkPath.read(found)

    def test_a_value_of_another_type_is_refused_with_its_key(self):
        wrong = {
            "status": ["up", 1, [], {}], "isExpensive": [0, "true"], "gateways": ["x", {}, [1]], "sequence": [True, 1.5],
            "interfaces": [[1], [{"index": "x"}], {}], "cost": [[], 1], "boottimeMicroseconds": [2**63, 10**20],
            "overrides": [["\ud800"]], "validation": [True],
        }  # fmt: skip
        for key, values in wrong.items():
            for value in values:
                with self.subTest(key=key, value=value), self.assertRaisesRegex(ValueError, f"'{key}'|surrogates"):
                    read(**{key: value})

    def test_equality_leaves_out_numbers_times_and_sentences(self):
        found = real_path()
        path = pathmonitor.NetworkPath.read(found)
        other = pathmonitor.NetworkPath.read({**found, "sequence": 9, "boottimeMicroseconds": 9, "changed": ["cost"]})
        self.assertEqual((path, hash(path)), (other, hash(other)))
        self.assertNotEqual(path, dataclasses.replace(path, is_expensive=True))

    def test_values_can_be_copied_and_pickled_but_not_changed(self):
        path = pathmonitor.NetworkPath.read(real_path())
        self.assertEqual(pickle.loads(pickle.dumps(path)), copy.deepcopy(path))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            path.status = "unsatisfied"

    def test_errors_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(pathmonitor.WaitTimeout("a", "B.", read())))
        self.assertEqual((str(error), error.path), ("a. B.", read()))

    def test_a_path_in_words_is_one_line_whatever_names_it_has(self):
        self.assertEqual(str(read(interfaces=[{"name": "a\n\x1b[1m", "type": "wifi"}])),
                         "connected over a\\x0a\\x1b[1m (wifi)")  # fmt: skip

    def test_a_path_that_is_stale_or_not_as_required_is_not_called_offline(self):
        self.assertEqual(str(read(knowledge="stale")), "not known now; before: connected")
        self.assertEqual(str(read(status="unsatisfied", unsatisfiedReason="requirementNotMet")), "not as required")


    def test_a_word_of_a_newer_service_is_unknown_and_kept(self):
        path = read(interfaces=[{"name": "a", "type": "satellite", "underlyingTypes": ["satellite", "wifi"]}],
                    unsatisfiedReason="moonlight", interfaceType="satellite", validation={"state": "guessed"})  # fmt: skip
        self.assertEqual((path.interfaces[0].type, path.interfaces[0].extra), ("other", {"type": "satellite"}))
        self.assertEqual(path.interfaces[0].underlying_types, ("other", "wifi"))
        self.assertEqual((path.unsatisfied_reason, path.interface_type, path.validation.state), ("unknown", "other", "unknown"))
        self.assertEqual(path.extra, {"unsatisfiedReason": "moonlight", "interfaceType": "satellite"})

    def test_an_address_for_the_sign_in_is_one_of_http_or_https(self):
        good = ["https://portal.example/a?b", "http://192.0.2.1/", "HTTP://a"]
        bad = ["file:///etc/passwd", "javascript:alert(1)", "http://", "http:///a", "http://a/\x1b[2J", "https://a b/", "",
               "http://a/\n", "https://" + "a" * 1_024]  # fmt: skip
        for address in good + bad:
            with self.subTest(address=address):
                found = read(validation={"state": "portal", "portal": address, "announced": address}).validation
                expected = address if address in good else None
                self.assertEqual((found.portal, found.announced, found.extra), (expected, expected, {}))


class HostileBytes(unittest.TestCase):
    def test_bytes_that_are_no_object_are_refused(self):
        for bad in [b"", b"[]", b"1", b"{", b"\xff", b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":"\x01"}', b"null",
                    b'{"a":' + b"9" * 30 + b"}", b'{"a":' + b"9" * 3_000_000 + b"}", b"[" * 2_000_000, b'{"a":' * 100_000]:  # fmt: skip
            with self.subTest(bytes=bad[:20]), self.assertRaises(ValueError):
                parse(bad)

    def test_bytes_that_have_been_changed_are_read_or_refused(self):
        whole, chance, refused = json.dumps(real_path()).encode(), random.Random(1), 0
        for _ in range(5_000):
            changed = bytearray(whole)
            for _ in range(chance.randint(1, 4)):
                place = chance.randrange(len(changed))
                changed[place : place + chance.choice([0, 1, 1, 7])] = bytes([chance.randrange(256)])
            try:
                str(pathmonitor.NetworkPath.read(parse(bytes(changed)))).encode()
            except ValueError:
                refused += 1
        self.assertTrue(500 < refused < 5_000, refused)

    def test_every_truncation_is_refused(self):
        whole = json.dumps(real_path()).encode()
        for length in range(len(whole)):
            with self.assertRaises(ValueError):
                parse(whole[:length])
