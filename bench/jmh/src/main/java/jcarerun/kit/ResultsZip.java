package jcarerun.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packs results to be sent back. */
final class ResultsZip {
  private ResultsZip() {}

  /** Writes a zip with the given directories, their names relative to {@code folder}. */
  static void write(Path folder, List<String> directories, Path target) throws IOException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part); ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String directory : directories) {
        for (String name : Manifest.files(folder.resolve(directory))) {
          zip.putNextEntry(new ZipEntry(directory + '/' + name));
          Files.copy(folder.resolve(directory).resolve(name), zip);
          zip.closeEntry();
        }
      }
    }
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
