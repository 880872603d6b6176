/**
 * Libraries that aren't JCA providers, made to look like one. An adapter has a constructor that takes the library's
 * class loader.
 */
package jcarerun.adapter;
