export const languages = ["en", "ru", "pt", "de", "es", "fr"] as const;

export type Language = (typeof languages)[number];

interface Texts {
  /** Of a link that there is not. */
  readonly title: string;
  readonly body: string;
  /** Of a link that could not be looked up. */
  readonly failed: string;
  readonly unharmed: string;
  readonly again: string;
  /** Of too many unknown links from one address. */
  readonly busy: string;
  readonly later: string;
}

/** Texts of the error pages for customers who follow a short link that does not work. */
export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    title: "This payment link does not work",
    body: "The address may have been copied incompletely. Check it, or ask the seller for a new link. You have not been charged.",
    failed: "Something failed on our side",
    unharmed: "Please try the link again in a minute. You have not been charged.",
    again: "Try again",
    busy: "Too many links were tried",
    later:
      "Your network asked for too many addresses that do not exist. Please try this link again in a minute. You have not been charged.",
  },
  ru: {
    title: "Эта ссылка на оплату не работает",
    body: "Возможно, адрес скопирован не полностью. Проверьте его или попросите у продавца новую ссылку. Деньги с вас не списаны.",
    failed: "Произошёл сбой на нашей стороне",
    unharmed: "Откройте ссылку ещё раз через минуту. Деньги с вас не списаны.",
    again: "Попробовать ещё раз",
    busy: "Слишком много попыток",
    later: "Из вашей сети запросили слишком много несуществующих адресов. Откройте ссылку ещё раз через минуту. Деньги с вас не списаны.",
  },
  pt: {
    title: "Este link de pagamento não funciona",
    body: "O endereço pode ter sido copiado de forma incompleta. Confira-o ou peça um novo link ao vendedor. Nada foi cobrado.",
    failed: "Algo falhou do nosso lado",
    unharmed: "Tente abrir o link novamente em um minuto. Nada foi cobrado.",
    again: "Tentar novamente",
    busy: "Foram feitas tentativas demais",
    later: "A sua rede pediu endereços inexistentes demais. Tente abrir o link novamente em um minuto. Nada foi cobrado.",
  },
  de: {
    title: "Dieser Zahlungslink funktioniert nicht",
    body: "Vielleicht wurde die Adresse unvollständig kopiert. Bitte prüfen Sie sie oder fragen Sie beim Verkäufer nach einem neuen Link. Es wurde nichts abgebucht.",
    failed: "Bei uns ist etwas schiefgegangen",
    unharmed: "Bitte öffnen Sie den Link in einer Minute noch einmal. Es wurde nichts abgebucht.",
    again: "Noch einmal versuchen",
    busy: "Es wurden zu viele Links versucht",
    later:
      "Aus Ihrem Netz wurden zu viele Adressen aufgerufen, die es nicht gibt. Bitte öffnen Sie den Link in einer Minute noch einmal. Es wurde nichts abgebucht.",
  },
  es: {
    title: "Este enlace de pago no funciona",
    body: "Es posible que la dirección se haya copiado incompleta. Compruébela o pida un enlace nuevo al vendedor. No se le ha cobrado nada.",
    failed: "Algo ha fallado por nuestra parte",
    unharmed: "Vuelva a abrir el enlace dentro de un minuto. No se le ha cobrado nada.",
    again: "Volver a intentarlo",
    busy: "Se han probado demasiados enlaces",
    later:
      "Desde su red se han pedido demasiadas direcciones que no existen. Vuelva a abrir el enlace dentro de un minuto. No se le ha cobrado nada.",
  },
  fr: {
    title: "Ce lien de paiement ne fonctionne pas",
    body: "L’adresse a peut-être été copiée incomplètement. Vérifiez-la ou demandez un nouveau lien au vendeur. Vous n’avez pas été débité.",
    failed: "Un problème est survenu de notre côté",
    unharmed: "Rouvrez le lien dans une minute. Vous n’avez pas été débité.",
    again: "Réessayer",
    busy: "Trop de liens ont été essayés",
    later: "Votre réseau a demandé trop d’adresses qui n’existent pas. Rouvrez le lien dans une minute. Vous n’avez pas été débité.",
  },
};
