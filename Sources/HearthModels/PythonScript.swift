import Foundation
import HearthJSON

/// What the Python interpreter that pip needs anyway does here besides: taking entries out of packages with its
/// standard library, and digests at the speed of the machine's own instructions.
enum PythonScript {
    /// Prints one JSON object: what was asked, or `error` with `errno` where the system gave one.
    static let text = #"""
        import hashlib, json, os, sys, tarfile, zipfile

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

        # Files under `folder` of a source package with the digest `sha`, kept where a path begins as one of `keep`.
        def files(package, sha, folder, out, *keep):
            actual = digest(package)
            if actual != sha:
                raise Odd('it has the SHA-256 %s, and %s is needed' % (actual, sha))
            count = 0
            with tarfile.open(package) as archive:
                for info in archive:
                    place = info.name.partition(folder)[2]
                    if not info.isfile() or not place.startswith(keep):
                        continue
                    if '..' in place.split('/') or place.startswith('/'):
                        raise Odd('it has an entry %s' % info.name)
                    path = os.path.join(out, place)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with archive.extractfile(info) as source, open(path, 'wb') as target:
                        copy(source, target)
                    count += 1
            return {'count': count}

        def digests(*paths):
            return {'digests': [digest(path) for path in paths]}

        try:
            print(json.dumps({'entry': entry, 'files': files, 'digests': digests}[sys.argv[1]](*sys.argv[2:])))
        except OSError as error:
            print(json.dumps({'error': str(error), 'errno': error.errno}))
        except (Odd, zipfile.BadZipFile, tarfile.TarError, EOFError, ValueError) as error:
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
