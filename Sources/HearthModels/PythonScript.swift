import Foundation
import HearthJSON

/// What the Python interpreter that pip needs anyway does here besides: taking entries out of packages with its
/// standard library, and digests at the speed of the machine's own instructions.
enum PythonScript {
    /// Prints one JSON object: what was asked, or `error` with `errno` where the system gave one.
    static let text = #"""
        import hashlib, json, os, struct, sys, tarfile, zipfile, zlib

        BLOCK = 4 * 1024 * 1024

        class Odd(Exception):
            pass

        def copy(source, target):
            while block := source.read(BLOCK):
                target.write(block)

        def digest(path):
            sha = hashlib.sha256()
            with open(path, 'rb') as file:
                while block := file.read(BLOCK):
                    sha.update(block)
            return sha.hexdigest()

        # The entry whose path ends in `suffix`, written at `offset` of the file `out`; what was after it is cut off.
        def entry(package, suffix, out, offset):
            with zipfile.ZipFile(package) as archive:
                hits = [i for i in archive.infolist() if i.filename.endswith(suffix)]
                if len(hits) != 1:
                    raise Odd('%d entries end in %s, and one is needed' % (len(hits), suffix))
                with archive.open(hits[0]) as source, open(out, 'ab') as target:
                    target.truncate(int(offset))
                    copy(source, target)
                    target.flush()
                    os.fsync(target.fileno())
                    return {'length': target.seek(0, os.SEEK_END)}

        # Files under `folder` of a package with the digest `sha`, kept where a path begins as one of `keep`.
        def kept(package, sha, folder, out, keep, read):
            actual = digest(package)
            if actual != sha:
                raise Odd('it has the SHA-256 %s, and %s is needed' % (actual, sha))
            count = 0
            for name, opened in read(package):
                place = name.partition(folder)[2]
                if not place.startswith(keep):
                    continue
                if '..' in place.split('/') or place.startswith('/'):
                    raise Odd('it has an entry %s' % name)
                path = os.path.join(out, place)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with opened() as source, open(path, 'wb') as target:
                    copy(source, target)
                count += 1
            return {'count': count}

        def of_source(package):
            with tarfile.open(package) as archive:
                for info in archive:
                    if info.isfile():
                        yield info.name, lambda: archive.extractfile(info)

        def of_wheel(package):
            with zipfile.ZipFile(package) as archive:
                for info in archive.infolist():
                    if not info.is_dir():
                        yield info.filename, lambda: archive.open(info)

        def files(package, sha, folder, out, *keep):
            return kept(package, sha, folder, out, keep, of_source)

        def wheel(package, sha, folder, out, *keep):
            return kept(package, sha, folder, out, keep, of_wheel)

        # The deflated entry of a ZIP archive whose header begins at `offset` of `part` and whose path ends in `suffix`.
        # (APPNOTE.TXT 6.3, section 4.3.7.) Its digest is compared later.
        def inflate(part, offset, suffix, out):
            with open(part, 'rb') as source, open(out, 'wb') as target:
                source.seek(int(offset))
                header = source.read(30)
                if len(header) < 30 or header[:4] != b'PK\x03\x04':
                    raise Odd('no entry begins at byte %s' % offset)
                method, = struct.unpack('<H', header[8:10])
                left, _, name, extra = struct.unpack('<IIHH', header[18:30])
                name = source.read(name).decode('utf-8', 'replace')
                source.seek(extra, os.SEEK_CUR)
                if method != 8 or not name.endswith(suffix):
                    raise Odd('the entry %s is there, with method %d, and %s is needed' % (name, method, suffix))
                stream = zlib.decompressobj(-zlib.MAX_WBITS)
                while left:
                    block = source.read(min(BLOCK, left))
                    if not block:
                        raise Odd('%d bytes of the entry are missing' % left)
                    left -= len(block)
                    while block:
                        target.write(stream.decompress(block, BLOCK))
                        block = stream.unconsumed_tail
                target.write(stream.flush())
                target.flush()
                os.fsync(target.fileno())
                return {'length': target.tell()}

        def digests(*paths):
            return {'digests': [digest(path) for path in paths]}

        try:
            verbs = {'entry': entry, 'files': files, 'wheel': wheel, 'inflate': inflate, 'digests': digests}
            print(json.dumps(verbs[sys.argv[1]](*sys.argv[2:])))
        except OSError as error:
            print(json.dumps({'error': str(error), 'errno': error.errno}))
        except (Odd, zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, ValueError) as error:
            print(json.dumps({'error': str(error)}))
        """#

    /// Why the script did not do what was asked.
    enum Failure: Error, Equatable {
        case noRoom
        case reason(String)
    }

    /// The object that the script printed.
    static func answer(_ result: ChildProcess.Result) throws(Failure) -> JSON {
        guard result.status == 0 else { throw .reason("status \(result.status): \(result.lastWords)") }
        let answer: JSON
        do { answer = try JSON.parse(result.output) } catch {
            // Its own output goes to the same disk: with no room left there, nothing arrives.
            throw .reason(
                "it answered \(String(decoding: result.output.prefix(200), as: UTF8.self)) \(result.lastWords)")
        }
        guard let words = answer["error"]?.stringValue else { return answer }
        if let code = answer["errno"]?.intValue, PosixFile.noRoom.contains(Int32(code)) { throw .noRoom }
        throw .reason(words)
    }
}
